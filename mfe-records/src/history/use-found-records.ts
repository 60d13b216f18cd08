import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { DeskRecord } from 'api/contract/records';
import type { FoundRecord, RecordFilter, SearchPage } from 'api/contract/search';
import type { Http, HttpFailure } from 'host/contract';
import { editPages, readUntilFound } from 'host/ui/queries.ts';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useServices } from '../lib/services.ts';

interface FoundPage extends SearchPage {
  filter: RecordFilter;
  /** Whether records of this page are known to have changed. */
  isOutdated?: boolean;
}

type FoundPages = InfiniteData<FoundPage, string | null>;

const FIRST_PAGE = 50;
const PAGE = 100;

export type FoundRecords = ReturnType<typeof useFoundRecords>;

/**
 * The records that match a filter, newest first and without duplicates, as far as they are loaded. Reads POST /api/search page by page.
 * While another filter is loading, the previous records remain, so that the list does not flash.
 */
export function useFoundRecords(http: Http, filter: RecordFilter) {
  const client = useQueryClient();
  const queryKey = ['records', filter];
  const counts = useRef<Counts>({ difference: 0 });

  /**
   * When the list is loaded again, each page ends at the same record as before, so that cursors stay valid. Once the difference in the
   * pages loaded so far explains the new total, the pages after them have not changed and are not loaded.
   */
  const readPage = async (cursor: string | null, signal: AbortSignal): Promise<FoundPage> => {
    const known = client.getQueryData<FoundPages>(queryKey);
    const before = known?.pages[known.pageParams.indexOf(cursor)];
    if (cursor === null) counts.current = { difference: 0 };
    const { explained } = counts.current;
    if (before && explained && !before.isOutdated) return { ...before, ...explained };

    const limit = known ? PAGE : FIRST_PAGE;
    const page = await readUntilFound(cursor, async (from) => {
      const body = { ...filter, limit, ...(from === null ? {} : { cursor: from }) };
      return (await http.post<SearchPage>('/api/search', body, { signal })).data;
    });
    const last = before?.records.at(-1);
    const isPastLast = last !== undefined && !page.records.every((record) => isNewer(record, last));
    if (!known || !before?.nextCursor || !page.nextCursor || !isPastLast) return { ...page, filter };

    const { total, totalIsMore } = page;
    const records = page.records.filter((record) => !isNewer(last, record));
    const difference = counts.current.difference + records.length - before.records.length;
    const newest = known.pages.at(-1)!;
    const isExplained = newest.totalIsMore || totalIsMore || newest.total + difference === total;
    counts.current = { difference, ...(isExplained && { explained: { total, totalIsMore } }) };
    return { records, total, totalIsMore, nextCursor: before.nextCursor, filter };
  };

  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const { data, error, isFetching, isFetchingNextPage, isPlaceholderData, fetchNextPage, refetch } = query;
  const records = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.records) ?? [];
    return [...new Map(all.map((record) => [record.id, record])).values()];
  }, [data]);
  const last = data?.pages.at(-1);
  const hasMore = !last || last.nextCursor !== null;

  const update = (change: (page: FoundPage, index: number) => FoundPage) =>
    editPages(client, queryKey, change);
  /**
   * Loads the newest records again, and as many older ones as may have changed; the others remain. `isThorough`: records further down are
   * known to have been restored.
   */
  const refresh = (isThorough: boolean = false): void => {
    if (isThorough) update((page, index) => (index === 0 ? page : { ...page, isOutdated: true }));
    void client.invalidateQueries({ queryKey, exact: true });
  };

  const isRead = data !== undefined && !isPlaceholderData;
  return {
    /** The filter that found `records`. */
    filter: data?.pages[0]?.filter ?? filter,
    records,
    // Once everything has been read, the total is what was read.
    /** Number of all matching records, loaded or not; a minimum if `totalIsMore`. */
    total: hasMore ? Math.max(last?.total ?? 0, records.length) : records.length,
    totalIsMore: hasMore && last?.totalIsMore === true,
    /** Whether the first or the next page is loading. */
    isLoading: query.isLoading || isFetchingNextPage,
    /** Like `isLoading`, and also while the shown records are loaded again. */
    isReading: isFetching,
    hasMore,
    /** Why the last page could not be loaded. */
    failure: query.isRefetchError || isFetching ? null : error,
    /** Whether the first page is loaded, so that `total` is known. */
    hasBegun: data !== undefined,
    /** Whether the records are those of an earlier filter, while the current one is loading. */
    isBehind: isPlaceholderData,
    /** Reads the next page, or tries again after a failure. */
    more: useCallback(
      // If the list is being loaded again, the next page follows afterwards.
      () => void (isRead ? fetchNextPage({ cancelRefetch: false }) : refetch({ cancelRefetch: false })),
      [isRead, fetchNextPage, refetch],
    ),
    refresh,
    /** Shows a record with this change at once. */
    change: (id: string, part: Partial<FoundRecord>): void =>
      update((page) => ({
        ...page,
        records: page.records.map((record) => (record.id === id ? { ...record, ...part } : record)),
      })),
    /** Removes records that are known to be deleted. */
    drop(isGone: (record: FoundRecord) => boolean): void {
      const gone = records.filter(isGone).length;
      // The remaining older records are unknown until they are loaded.
      if (gone === records.length && hasMore) return void client.resetQueries({ queryKey, exact: true });
      update((page) => ({
        ...page,
        total: page.total - gone,
        records: page.records.filter((record) => !isGone(record)),
      }));
    },
  };
}

interface Counts {
  /** How many more records than before are in the pages that were loaded again. */
  difference: number;
  /** The new total, once `difference` explains it; then nothing has changed in the pages that follow. */
  explained?: Pick<SearchPage, 'total' | 'totalIsMore'>;
}

function isNewer(one: FoundRecord, other: FoundRecord): boolean {
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}

export type Chosen =
  | { status: 'none' | 'loading' }
  | { status: 'failed'; failure: HttpFailure; retry(): void }
  | { status: 'ready'; record: FoundRecord };

/** The record in the address: from the list, or loaded separately. */
export function useChosenRecord(id: string | null, found: FoundRecords) {
  const { http } = useServices();
  const [changes, setChanges] = useState<Record<string, Partial<DeskRecord>>>({});
  const listed = found.records.find((record) => record.id === id);
  const alone = useQuery({
    queryKey: ['record', id],
    queryFn: async ({ signal }): Promise<FoundRecord> => {
      const url = `/api/records/${encodeURIComponent(id ?? '')}`;
      return { ...(await http.get<DeskRecord>(url, { signal })).data, highlights: [] };
    },
    enabled: id !== null && !listed && found.hasBegun,
  });

  const change = (changed: string, part: Partial<DeskRecord>) => {
    found.change(changed, part);
    setChanges((before) => ({ ...before, [changed]: { ...before[changed], ...part } }));
  };
  return { chosen: chosenNow(), change };

  function chosenNow(): Chosen {
    if (id === null) return { status: 'none' };
    if (listed) return { status: 'ready', record: listed };
    if (alone.error) return { status: 'failed', failure: alone.error, retry: () => void alone.refetch() };
    if (!alone.data) return { status: 'loading' };
    return { status: 'ready', record: { ...alone.data, ...changes[id] } };
  }
}
