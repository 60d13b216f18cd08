import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { ChatStore } from '../conversation/chat-store.ts';
import type { Consultation } from '../conversation/consultation-port.ts';

/** How near to the top an older page is fetched, in pixels. */
const AHEAD = 300;

/**
 * Fetches older pages as the reader nears the top, and keeps what is being read where it is when they arrive. Returns the scroll
 * listener; `firstKey` names the first message that is rendered.
 */
export function useOlderPages(
  store: ChatStore,
  consultation: Consultation,
  firstKey: string | undefined,
): () => void {
  const held = useRef<{ element: Element; top: number } | null>(null);

  // The store speaks before React has rendered: the last moment to see where things were.
  useEffect(() => {
    let first = store.keys()[0];
    return store.subscribe(() => {
      const before = first;
      first = store.keys()[0];
      const list = store.scroll.current;
      if (!list || !before || before === first || !store.message(before)) return;
      const element = firstVisible(list);
      if (element) held.current = { element, top: element.getBoundingClientRect().top };
      // The browser's own anchoring would move it a second time.
      list.style.setProperty('overflow-anchor', 'none');
    });
  }, [store]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another first message is what moves the others
  useLayoutEffect(() => {
    const list = store.scroll.current;
    const hold = held.current;
    held.current = null;
    if (!list || !hold?.element.isConnected) return;
    list.scrollTop += hold.element.getBoundingClientRect().top - hold.top;
    const restore = () => list.style.removeProperty('overflow-anchor');
    const frame = requestAnimationFrame(restore);
    return () => {
      cancelAnimationFrame(frame);
      restore();
    };
  }, [firstKey]);

  const watch = useCallback(() => {
    const list = store.scroll.current;
    const { hasOlder, isLoadingOlder } = consultation.state$.value;
    if (list && list.scrollTop <= AHEAD && hasOlder && !isLoadingOlder) void consultation.loadOlder();
  }, [store, consultation]);

  // A page of short messages leaves nothing to scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at after each page
  useEffect(() => {
    const list = store.scroll.current;
    if (list && firstKey && list.scrollHeight <= list.clientHeight) watch();
  }, [firstKey, watch]);
  return watch;
}

/** By the groups first: to ask a message that is left out of the layout where it is would lay it out, and all of its group. */
function firstVisible(list: HTMLElement): Element | undefined {
  const { top } = list.getBoundingClientRect();
  const isReached = (element: Element) => element.getBoundingClientRect().bottom > top;
  const groups = [...(list.firstElementChild?.children ?? [])].filter((child) => child.tagName === 'DIV');
  return [...(groups.find(isReached)?.querySelectorAll('article') ?? [])].find(isReached);
}
