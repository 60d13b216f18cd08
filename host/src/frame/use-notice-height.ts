import { type RefObject, useLayoutEffect } from 'react';

/**
 * Measures the height of a notice and stores it in the CSS `property` of its parent, so that the content below can reserve the space. The
 * height depends on language, width and text size.
 */
export function useNoticeHeight(
  notice: RefObject<HTMLElement | null>,
  property: '--missing' | '--off' | '--over' | '--new',
): void {
  useLayoutEffect(() => {
    const element = notice.current;
    const holder = element?.parentElement;
    if (!element || !holder) return;
    const measure = () => holder.style.setProperty(property, `${element.offsetHeight}px`);
    measure();
    const watcher = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(measure);
    watcher?.observe(element);
    return () => {
      watcher?.disconnect();
      holder.style.removeProperty(property);
    };
  }, [notice, property]);
}
