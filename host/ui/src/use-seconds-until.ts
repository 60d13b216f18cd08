import { useLayoutEffect, useState } from 'react';

/** Seconds left until `time` (milliseconds since the epoch), counting down; 0 if it is past or null. */
export function useSecondsUntil(time: number | null): number {
  const [now, setNow] = useState(Date.now);
  useLayoutEffect(() => {
    if (time === null) return;
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= time) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [time]);
  return time === null ? 0 : Math.max(0, Math.ceil((time - now) / 1000));
}
