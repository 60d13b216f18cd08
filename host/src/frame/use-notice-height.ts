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
    if (!element || !parent || typeof ResizeObserver === 'undefined') return;
    // Its first call comes in the same frame, after the layout that is due anyway: measuring now would force another.
    const observer = new ResizeObserver(() => {
      const height = `${element.offsetHeight}px`;
      if (height !== (parent.style.getPropertyValue(property) || '0px'))
        parent.style.setProperty(property, height);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      parent.style.removeProperty(property);
    };
  }, [notice, property]);
}
