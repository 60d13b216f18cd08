import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** A heading that gets the focus when its part of the screen was opened from another one, since what was pressed is gone. */
export function useEntered() {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirstPage = useLocation().key === 'default';
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it appears
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
