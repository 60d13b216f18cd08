import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/**
 * Does what a page load would do at a client-side navigation: sets the title, announces it to screen readers and moves the focus to the new
 * content. The first page is left to the browser.
 */
export function useRouteChange(title: string) {
  const isFirst = useRef(true);
  const [announcement, setAnnouncement] = useState('');

  useLayoutEffect(() => {
    document.title = title;
  }, [title]);

  const announceScreen = useCallback(() => {
    if (!isFirst.current) {
      setAnnouncement(document.title);
      focusMain();
    }
    isFirst.current = false;
  }, []);

  return { announcement, announceScreen };
}

/** Does nothing if the screen has already moved the focus. */
export function focusMain(): void {
  const main = document.getElementById('main');
  if (!main || main.contains(document.activeElement)) return;
  if (!main.hasAttribute('tabindex')) main.tabIndex = -1;
  main.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}
