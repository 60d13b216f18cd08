import { type RefObject, useLayoutEffect } from 'react';

/**
 * Tells the sheets how much of the window a notice above them takes, in `property` of what holds both; they are that much lower. It is
 * measured, since its words wrap by language, width and text size.
 */
export function useRoom(
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
