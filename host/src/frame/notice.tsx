import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface NoticeProps {
  /** Custom property of the parent element that receives the height of the notice. */
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
    // The observer is first called in this frame after its layout. Measuring now would force another layout.
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
