import { useEffect, useRef } from 'react';

const FIRST_MS = 1000;
const LONGEST_MS = 10_000;
const GROWTH = 1.4;

/**
 * Looks again and again while `isActive`: after a second at first, less and less often, every ten seconds at the end. While the page
 * is hidden nobody looks; once it is back, at once. Another `key` begins anew.
 */
export function usePolling(isActive: boolean, key: string, look: () => Promise<void>): void {
  const latest = useRef(look);
  latest.current = look;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is something new to wait for
  useEffect(() => {
    if (!isActive) return;
    let isHere = true;
    let delay = FIRST_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      // The page may have come back while a look was under way: one wait is enough.
      clearTimeout(timer);
      timer = isHere && document.visibilityState === 'visible' ? setTimeout(run, delay) : undefined;
    };
    const run = async () => {
      delay = Math.min(delay * GROWTH, LONGEST_MS);
      await latest.current();
      wait();
    };
    const appear = () => {
      delay = FIRST_MS;
      wait();
    };
    document.addEventListener('visibilitychange', appear);
    wait();
    return () => {
      isHere = false;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', appear);
    };
  }, [isActive, key]);
}
