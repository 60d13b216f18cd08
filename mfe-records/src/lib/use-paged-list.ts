import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { editPages } from 'host/ui/queries.ts';
import { useMemo } from 'react';

/** One page of a list of knowledge. Only documents have `passages`. */
export interface ListPage<T> {
  items: T[];
  total: number;
  passages?: number;
  nextCursor: string | null;
}

export type ShownList<T extends { id: string } = { id: string }> = ReturnType<typeof usePagedList<T>>;

interface Options<T> {
  key: QueryKey;
  isEnabled?: boolean;
  /** For how long the list is not loaded again when the page becomes visible, in ms. Default 0. */
  staleTime?: number;
  /** Reads the page of `limit` items at `cursor`, null for the first. */
  read(cursor: string | null, limit: number, signal: AbortSignal): Promise<ListPage<T>>;
  /** Time until the list is read again while the page is visible, in ms; false for never. `reads` counts how often it has been read. */
  interval?(items: T[], reads: number): number | false;
}

const PAGE = 30;

/** The list that `key` names, loaded page by page, without duplicates. */
export function usePagedList<T extends { id: string }>(options: Options<T>) {
  const { key: queryKey, isEnabled = true, staleTime = 0, read, interval } = options;
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey,
    staleTime,
    enabled: isEnabled,
    queryFn: ({ pageParam, signal }) => read(pageParam, PAGE, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => interval?.(itemsOf(state.data), state.dataUpdateCount) ?? false,
  });
  const { data, error, isPending, isFetching, isFetchingNextPage, isRefetchError } = query;
  const items = useMemo(() => itemsOf(data), [data]);
  const last = data?.pages.at(-1);

  return {
    items,
    total: last?.total ?? 0,
    passages: last?.passages ?? 0,
    isLoading: isPending || isFetchingNextPage,
    hasMore: !last || last.nextCursor !== null,
    /** Why the last page could not be loaded. */
    failure: isRefetchError || isFetching ? null : error,
    /** Whether the first page is loaded. */
    hasBegun: data !== undefined,
    /** Whether the items are those of an earlier key, while the current one is loading. */
    isBehind: query.isPlaceholderData,
    /** Loads the next page, or tries again after a failure. */
    more() {
      if (!isFetchingNextPage) void (data ? query.fetchNextPage() : query.refetch());
    },
    /** Removes an item that is known to be deleted. */
    drop(id: string) {
      editPages<ListPage<T>>(client, queryKey, (page) => ({
        ...page,
        items: page.items.filter((item) => item.id !== id),
        total: Math.max(0, page.total - 1),
      }));
    },
  };
}

function itemsOf<T extends { id: string }>(data: InfiniteData<ListPage<T>, unknown> | undefined): T[] {
  const all = data?.pages.flatMap((page) => page.items) ?? [];
  return [...new Map(all.map((item) => [item.id, item])).values()];
}
