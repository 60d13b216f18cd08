import type { HttpFailure, ScreenProps } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** The list is read when nothing was typed for this time, in ms. */
const restMs = 250;

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export type Pages<T> = ReturnType<typeof usePages<T>>;

/** Reads a list page by page. Starts again when `filter` changes: at once, or after a pause while the visitor types. */
export function usePages<T>(
  toasts: ScreenProps['services']['toasts'],
  filter: Record<string, unknown>,
  readPage: (request: Record<string, unknown>, signal: AbortSignal) => Promise<Page<T>>,
) {
  const key = JSON.stringify(filter);
  const [items, setItems] = useState<T[] | null>(null);
  const [nextCursor, setNextCursor] = useState<string | null>(null);
  const [failure, setFailure] = useState<HttpFailure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const reading = useAction({ toasts });
  const typed = useRef(false);
  const read = useEffectEvent((signal: AbortSignal) => readPage(filter, signal));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter and each attempt read the list again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // A further page of the former list must not be added to this one.
    reading.cancel();
    const start = async () => {
      try {
        const page = await read(signal);
        if (signal.aborted) return;
        setItems(page.items);
        setNextCursor(page.nextCursor);
        setFailure(null);
      } catch (error) {
        if (!signal.aborted) setFailure(asFailure(error));
      }
    };
    const timer = setTimeout(start, typed.current ? restMs : 0);
    typed.current = false;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, attempt]);

  return {
    /** null until the first page was read. */
    items,
    setItems,
    failure,
    retry: () => setAttempt((before) => before + 1),
    /** Call it before a change of the filter by typing. */
    typing() {
      typed.current = true;
    },
    hasMore: nextCursor !== null,
    isBusy: reading.isBusy,
    more: () =>
      reading.run(async (signal) => {
        const page = await readPage({ ...filter, cursor: nextCursor }, signal);
        if (signal.aborted) return;
        setItems((before) => [...(before ?? []), ...page.items]);
        setNextCursor(page.nextCursor);
      }),
  };
}
