import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { Subject } from 'rxjs';

/** Nearer to the end than this counts as being there, in pixels. */
const NEAR = 24;

/**
 * Keeps a scrolling element at its end while it grows, unless the reader has scrolled up. `toEnd$` brings it back whatever the reader
 * did. The element's first child holds its content.
 */
export function useStickToEnd(
  scroll: RefObject<HTMLElement | null>,
  toEnd$: Subject<void>,
): { isAtEnd: boolean; goToEnd(): void } {
  const [isAtEnd, setIsAtEnd] = useState(true);
  const goToEnd = useCallback(() => {
    const element = scroll.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [scroll]);

  useEffect(() => {
    const element = scroll.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    let isSticking = true;
    let lastTop = element.scrollTop;
    const follow = () => {
      if (isSticking) element.scrollTop = element.scrollHeight;
    };
    const read = () => {
      const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (element.scrollTop < lastTop - 1 && rest > 1) isSticking = false;
      else if (rest < NEAR) isSticking = true;
      lastTop = element.scrollTop;
      setIsAtEnd(isSticking || rest < NEAR);
    };
    const growth = new ResizeObserver(follow);
    growth.observe(content);
    growth.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    const orders = toEnd$.subscribe(() => {
      isSticking = true;
      setIsAtEnd(true);
      follow();
    });
    follow();
    return () => {
      growth.disconnect();
      element.removeEventListener('scroll', read);
      orders.unsubscribe();
    };
  }, [scroll, toEnd$]);

  return { isAtEnd, goToEnd };
}
