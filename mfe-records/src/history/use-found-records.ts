import type { RecordFilter } from 'api/contract/search';
import type { HostServices } from 'host/contract';
import { useEffect, useState } from 'react';
import { useGeneration } from '../use-generation.ts';
import { createFoundRecords, type FoundRecords } from './found-records.ts';

const PAGE = 50;

/**
 * What `filter` finds for whoever is there now. It is read anew for another filter or owner (sign-in, sign-out, another tab) and
 * looked after whenever the page comes back to the front or online. Until the first page of another filter is there, the one
 * before stays, so that a search does not flash; `isBehind` says so.
 */
export function useFoundRecords(
  { http, storage }: HostServices,
  filter: RecordFilter,
): { found: FoundRecords | null; isBehind: boolean } {
  const generation = useGeneration({ storage });
  const [shown, setShown] = useState<{ found: FoundRecords; generation: number } | null>(null);
  const key = JSON.stringify(filter);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the filter is known by its key, and a new generation is a new owner
  useEffect(() => {
    const opened = createFoundRecords(http, filter, PAGE);
    setShown((before) => (before?.generation === generation ? before : { found: opened, generation }));
    const subscription = opened.state$.subscribe(({ hasBegun, failure }) => {
      if (hasBegun || failure) setShown({ found: opened, generation });
    });
    void opened.more();
    const lookAgain = () => {
      if (document.visibilityState === 'visible') void opened.refresh();
    };
    document.addEventListener('visibilitychange', lookAgain);
    window.addEventListener('focus', lookAgain);
    window.addEventListener('online', lookAgain);
    return () => {
      document.removeEventListener('visibilitychange', lookAgain);
      window.removeEventListener('focus', lookAgain);
      window.removeEventListener('online', lookAgain);
      subscription.unsubscribe();
      opened.close();
    };
  }, [http, key, generation]);

  return {
    found: shown?.found ?? null,
    isBehind: shown !== null && JSON.stringify(shown.found.filter) !== key,
  };
}
