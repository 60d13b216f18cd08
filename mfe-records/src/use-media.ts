import { useEffect, useState } from 'react';

/** Whether a media query holds, kept up to date; false where nobody can tell. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => list(query)?.matches ?? false);
  useEffect(() => {
    const asked = list(query);
    if (!asked) return;
    const follow = () => setHolds(asked.matches);
    follow();
    asked.addEventListener('change', follow);
    return () => asked.removeEventListener('change', follow);
  }, [query]);
  return holds;
}

/** Whether things may move. */
export function useMotion(): boolean {
  return useMedia('(prefers-reduced-motion: no-preference)');
}

function list(query: string): MediaQueryList | undefined {
  return typeof matchMedia === 'function' ? matchMedia(query) : undefined;
}
