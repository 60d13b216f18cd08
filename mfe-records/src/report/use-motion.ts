import { useEffect, useState } from 'react';

const REDUCED = '(prefers-reduced-motion: reduce)';

/** Whether things may move: not where the visitor has asked for less motion, nor where nobody can tell. */
export function useMotion(): boolean {
  const [isAllowed, setAllowed] = useState(() => query() !== undefined && !query()?.matches);
  useEffect(() => {
    const asked = query();
    if (!asked) return;
    const follow = () => setAllowed(!asked.matches);
    asked.addEventListener('change', follow);
    return () => asked.removeEventListener('change', follow);
  }, []);
  return isAllowed;
}

function query(): MediaQueryList | undefined {
  return typeof matchMedia === 'function' ? matchMedia(REDUCED) : undefined;
}
