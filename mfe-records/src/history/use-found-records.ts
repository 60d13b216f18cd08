import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { FoundRecord, RecordFilter, SearchPage } from 'api/contract/search';
import type { Http } from 'host/contract';
import { editPages, readUntilFound } from 'host/ui/queries.ts';
import { useCallback, useMemo, useRef } from 'react';

interface FoundPage extends SearchPage {
  filter: RecordFilter;
  /** Records of this page are known to have changed. */
  isOutdated?: boolean;
}

type FoundPages = InfiniteData<FoundPage, string | null>;

const FIRST_PAGE = 50;
const PAGE = 100;

export type FoundRecords = ReturnType<typeof useFoundRecords>;

/**
 * What a filter finds, as far as it has been read, newest first, no record twice.
 * Reads POST /api/search page by page. While another filter is being read, the records of the one before stay, so that a search does not flash.
 */
export function useFoundRecords(http: Http, filter: RecordFilter) {
  const client = useQueryClient();
  const queryKey = ['records', filter];
  const counts = useRef<Counts>({ difference: 0 });

  /**
   * When the list is read again, pages keep their last record and so their cursors. Once the records that came and went in the pages
   * read so far explain the new total, the pages after them are not read.
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
   * Reads again the newest records, and as many older ones as may have changed; the others stay as they are. `isThorough` when records
   * further down are known to have been restored.
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
    /** Of all that is found, read or not; exact unless `totalIsMore`. */
    total: hasMore ? Math.max(last?.total ?? 0, records.length) : records.length,
    totalIsMore: hasMore && last?.totalIsMore === true,
    /** The first or the next page is being read. */
    isLoading: query.isLoading || isFetchingNextPage,
    /** As `isLoading`, or what is shown is being read again. */
    isReading: isFetching,
    hasMore,
    /** Why the last page could not be read. */
    failure: query.isRefetchError || isFetching ? null : error,
    /** A first page has been read: `total` means something. */
    hasBegun: data !== undefined,
    /** The records are of an earlier filter; those of the current one are being read. */
    isBehind: isPlaceholderData,
    /** Reads the next page, or tries again after a failure. */
    more: useCallback(
      // A list that is being read again reads on afterwards.
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
      // Which of the older records are left is not known before they are read.
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
  /** How many more records the pages that were read again contain than before. */
  difference: number;
  /** The new total, once `difference` accounts for it: nothing has changed in the pages that follow. */
  explained?: Pick<SearchPage, 'total' | 'totalIsMore'>;
}

function isNewer(one: FoundRecord, other: FoundRecord): boolean {
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}
