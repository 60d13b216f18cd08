import type { HostServices } from 'host/contract';
import { useEffect, useState } from 'react';
import { BehaviorSubject } from 'rxjs';
import { useStream } from '../use-stream.ts';
import { createPagedList, type ListState, type PagedList, type ReadPage, unread } from './paged-list.ts';

export interface ShownList<T> extends ListState<T> {
  /** What is shown answers an earlier key; its follower is on its way. */
  isBehind: boolean;
  more(): void;
  refresh(): Promise<void>;
  drop(id: string): void;
}

interface Opened<T> {
  list: PagedList<T>;
  key: string;
  generation: number;
}

/**
 * The list that `key` names, read anew for another key or `generation` (the owner there is), and looked after whenever the page comes
 * back to the front or online. Until the first page of another key is there, the one before stays. Without a key nothing is read.
 *
 * @param read Must ask for what the key names.
 */
export function usePagedList<T extends { id: string }>(
  { key, generation }: { key: string | null; generation: number },
  read: (http: HostServices['http']) => ReadPage<T>,
  { http }: Pick<HostServices, 'http'>,
): ShownList<T> {
  const [nothing$] = useState(() => new BehaviorSubject(unread<T>()));
  const [shown, setShown] = useState<Opened<T> | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that `read` depends on
  useEffect(() => {
    if (key === null) return setShown(null);
    const opened = { list: createPagedList(read(http)), key, generation };
    setShown((before) => (before?.generation === generation ? before : opened));
    const subscription = opened.list.state$.subscribe(({ hasBegun, failure }) => {
      if (hasBegun || failure) setShown(opened);
    });
    void opened.list.more();
    const lookAgain = () => {
      if (document.visibilityState === 'visible') void opened.list.refresh();
    };
    document.addEventListener('visibilitychange', lookAgain);
    window.addEventListener('online', lookAgain);
    return () => {
      document.removeEventListener('visibilitychange', lookAgain);
      window.removeEventListener('online', lookAgain);
      subscription.unsubscribe();
      opened.list.close();
    };
  }, [http, key, generation]);

  const state = useStream(shown?.list.state$ ?? nothing$);
  return {
    ...state,
    isBehind: shown !== null && shown.key !== key,
    more: () => void shown?.list.more(),
    refresh: async () => shown?.list.refresh(),
    drop: (id) => shown?.list.drop(id),
  };
}
