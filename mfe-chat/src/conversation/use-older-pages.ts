import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { ChatStore } from '../state/chat-store.ts';
import type { Consultation } from '../state/consultation.ts';

/** Distance from the top at which the next older page is loaded, in pixels. */
const LOAD_DISTANCE = 300;

/** Loads older messages near the top and keeps the scroll position. Returns the scroll listener. */
export function useOlderPages(
  store: ChatStore,
  consultation: Consultation,
  firstKey: string | undefined,
): () => void {
  const anchor = useRef<{ element: Element; top: number } | null>(null);

  // The store notifies before React renders: the last moment to measure the old positions.
  useEffect(() => {
    let first = store.keys()[0];
    return store.subscribe(() => {
      const before = first;
      first = store.keys()[0];
      const list = store.scroll.current;
      if (!list || !before || before === first || !store.message(before)) return;
      const element = firstVisible(list);
      if (element) anchor.current = { element, top: element.getBoundingClientRect().top };
      // The browser's own scroll anchoring would correct the position a second time.
      list.style.setProperty('overflow-anchor', 'none');
    });
  }, [store]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: positions change when the first message changes
  useLayoutEffect(() => {
    const list = store.scroll.current;
    const saved = anchor.current;
    anchor.current = null;
    if (!list || !saved?.element.isConnected) return;
    list.scrollTop += saved.element.getBoundingClientRect().top - saved.top;
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
    if (list && list.scrollTop <= LOAD_DISTANCE && hasOlder && !isLoadingOlder) void consultation.loadOlder();
  }, [store, consultation]);

  // A page of short messages does not fill the list, so that nothing can be scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked after each page
  useEffect(() => {
    const list = store.scroll.current;
    if (list && firstKey && list.scrollHeight <= list.clientHeight) watch();
  }, [firstKey, watch]);
  return watch;
}

/** Looks for the group first: measuring a message that `content-visibility` has skipped would lay out its whole group. */
function firstVisible(list: HTMLElement): Element | undefined {
  const { top } = list.getBoundingClientRect();
  const isReached = (element: Element) => element.getBoundingClientRect().bottom > top;
  const groups = [...(list.firstElementChild?.children ?? [])].filter((child) => child.tagName === 'DIV');
  return [...(groups.find(isReached)?.querySelectorAll('article') ?? [])].find(isReached);
}
