import type { HostServices } from 'host/contract';
import { useEffect, useState } from 'react';
import { createRecordPages, type RecordPages } from './record-pages.ts';

/**
 * The pages of whoever is there now: they begin anew when the owner changes (sign-in, sign-out, another tab), and a page that
 * failed for want of a network is read again once the browser is back online. `start` reads what the screen shows first.
 */
export function useRecordPages(
  { http, storage }: HostServices,
  limit: number,
  start: (pages: RecordPages) => void,
): RecordPages | null {
  const [generation, setGeneration] = useState(0);
  const [pages, setPages] = useState<RecordPages | null>(null);

  useEffect(() => {
    // A stream that speaks at once tells of the owner that is there already.
    let isThere = false;
    const subscription = storage.owner$.subscribe(() => {
      if (isThere) setGeneration((before) => before + 1);
    });
    isThere = true;
    return () => subscription.unsubscribe();
  }, [storage]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation is a new owner; `start` is the same deed every time
  useEffect(() => {
    const opened = createRecordPages(http, limit);
    const goOn = () => {
      if (opened.state$.value.failure?.error === 'offline') start(opened);
    };
    setPages(opened);
    start(opened);
    window.addEventListener('online', goOn);
    return () => {
      window.removeEventListener('online', goOn);
      opened.close();
    };
  }, [http, limit, generation]);

  return pages;
}
