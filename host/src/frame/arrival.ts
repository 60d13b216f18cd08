import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/**
 * What a page load would do by itself and a change of route in the page must do by hand: the title, a word to screen readers,
 * and focus at the start of what is new. The first page of a visit is left to the browser.
 */
export function useArrival(title: string) {
  const isFirst = useRef(true);
  const [announcement, setAnnouncement] = useState('');

  useLayoutEffect(() => {
    document.title = title;
  }, [title]);

  const arrive = useCallback(() => {
    if (!isFirst.current) {
      setAnnouncement(document.title);
      focusMain();
    }
    isFirst.current = false;
  }, []);

  return { announcement, arrive };
}

/** A screen that has put the focus somewhere itself knows better. */
function focusMain(): void {
  const main = document.getElementById('main');
  if (!main || main.contains(document.activeElement)) return;
  if (!main.hasAttribute('tabindex')) main.tabIndex = -1;
  main.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}
