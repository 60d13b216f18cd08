import { useEffect, useState } from 'react';

/** Whether a media query matches, kept up to date; false where the browser has no `matchMedia`. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => listOf(query)?.matches ?? false);
  useEffect(() => {
    const list = listOf(query);
    if (!list) return;
    const update = () => setMatches(list.matches);
    update();
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, [query]);
  return matches;
}

/** Whether the visitor accepts animations. */
export function useMotion(): boolean {
  return useMedia('(prefers-reduced-motion: no-preference)');
}

function listOf(query: string): MediaQueryList | undefined {
  return typeof matchMedia === 'function' ? matchMedia(query) : undefined;
}
