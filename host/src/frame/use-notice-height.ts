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
    const parent = element?.parentElement;
    if (!element || !parent) return;
    const measure = () => parent.style.setProperty(property, `${element.offsetHeight}px`);
    measure();
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(measure);
    observer?.observe(element);
    return () => {
      observer?.disconnect();
      parent.style.removeProperty(property);
    };
  }, [notice, property]);
}
