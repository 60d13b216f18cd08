import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface NoticeProps {
  /** The CSS property of its parent that has its height. */
  property: '--missing' | '--off' | '--over' | '--new';
  className?: string;
  children: ReactNode;
}

/**
 * A notice above the page, which may be empty: a live region always exists, so that screen readers announce changes. Its height, which depends on
 * language, width and text size, is stored in the CSS `property` of its parent, so that the content below can reserve the space.
 */
export function Notice({ property, className = 'notice', children }: NoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
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
  }, [property]);
  return (
    <div ref={notice} className={className} role="status">
      {children}
    </div>
  );
}
