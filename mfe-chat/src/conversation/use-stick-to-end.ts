import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { Subject } from 'rxjs';

/** Distance from the end that still counts as being at the end, in pixels. */
const END_TOLERANCE = 24;
/** Distance between the upper edge and a message that was scrolled to, in pixels. */
const TOP_MARGIN = 12;

/** Number of frames for which a scroll target is held in place while skipped groups get their real height. */
const SETTLING_FRAMES = 20;

/**
 * Keeps a scrolling element at its end while it grows, unless the reader has scrolled up. `scrollToEnd$` always scrolls to the end, `scrollToMarked$`
 * to the first `[data-marked]` element. The first child of the element contains its content.
 */
export function useStickToEnd(
  scroll: RefObject<HTMLElement | null>,
  scrollToEnd$: Subject<void>,
  scrollToMarked$: Subject<void>,
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
    let settling = 0;
    const follow = () => {
      if (isSticking) element.scrollTop = element.scrollHeight;
    };
    const read = () => {
      const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (element.scrollTop < lastTop - 1 && rest > 1) isSticking = false;
      else if (rest < END_TOLERANCE) isSticking = true;
      lastTop = element.scrollTop;
      setIsAtEnd(isSticking || rest < END_TOLERANCE);
    };
    const growth = new ResizeObserver(follow);
    growth.observe(content);
    growth.observe(element);
    const gone = new AbortController();
    const { signal } = gone;
    element.addEventListener('scroll', read, { passive: true, signal });
    const endRequests = scrollToEnd$.subscribe(() => {
      cancelAnimationFrame(settling);
      isSticking = true;
      setIsAtEnd(true);
      follow();
    });
    const goToMarked = (frames: number) => {
      const marked = element.querySelector('[data-marked]');
      const distance = marked ? marked.getBoundingClientRect().top - element.getBoundingClientRect().top : 0;
      if (Math.abs(distance - TOP_MARGIN) > 1) element.scrollTop += distance - TOP_MARGIN;
      if (frames > 0) settling = requestAnimationFrame(() => goToMarked(frames - 1));
    };
    const markedRequests = scrollToMarked$.subscribe(() => {
      isSticking = false;
      cancelAnimationFrame(settling);
      settling = requestAnimationFrame(() => goToMarked(SETTLING_FRAMES));
    });
    const release = () => cancelAnimationFrame(settling);
    element.addEventListener('wheel', release, { passive: true, signal });
    element.addEventListener('pointerdown', release, { signal });
    follow();
    return () => {
      release();
      gone.abort();
      growth.disconnect();
      markedRequests.unsubscribe();
      endRequests.unsubscribe();
    };
  }, [scroll, scrollToEnd$, scrollToMarked$]);

  return { isAtEnd, goToEnd };
}
