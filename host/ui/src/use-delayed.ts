import { useEffect, useState } from 'react';

/** True once `isOn` has been true for `milliseconds`, so that a loading state does not flash. */
export function useDelayed(isOn: boolean, milliseconds = 300): boolean {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => setIsDue(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setIsDue(false);
    };
  }, [isOn, milliseconds]);
  return isOn && isDue;
}
