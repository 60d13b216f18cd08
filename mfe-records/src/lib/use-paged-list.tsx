import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Button } from 'host/ui/button.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { editPages } from 'host/ui/queries.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { type ComponentProps, type ReactNode, useMemo } from 'react';
import { LoadProblem } from './load-problem.tsx';
import { recordTexts } from './texts.ts';

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

interface ListMoreProps {
  list: Pick<ShownList, 'isLoading' | 'failure' | 'hasMore' | 'more'>;
  label: string;
  look?: string | undefined;
}

/** Shown below a list: a button that loads the next page, or tries again after a failure. */
export function ListMore({ list: { isLoading, failure, hasMore, more }, label, look }: ListMoreProps) {
  const t = useTexts(recordTexts);
  if (!hasMore && !failure) return null;
  return (
    <div className="column middle gap-6px pad-s4">
      {failure && <Fault>{failure.message}</Fault>}
      {hasMore && (
        <Button
          look={look}
          label={isLoading ? t('history.loadingMore') : failure ? t('retry') : label}
          isOff={isLoading}
          onClick={more}
        />
      )}
    </div>
  );
}

interface ListRestProps extends ComponentProps<typeof Skeleton>, Pick<ListMoreProps, 'look'> {
  list: ListMoreProps['list'] & Pick<ShownList, 'items' | 'hasBegun'>;
  /** Title of the problem if nothing could be loaded. */
  title: string;
  /** Label of the button that loads more; without it only the first items are shown. */
  more?: string | undefined;
  /** Shown if there are no items. */
  children?: ReactNode;
}

/** The end of a list, or what is shown instead of its items. `label` and `lines` are those of the placeholder. */
export function ListRest({ list, title, more, look, children, ...skeleton }: ListRestProps) {
  if (list.items.length > 0) return more && <ListMore list={list} label={more} look={look} />;
  if (list.failure) return <LoadProblem failure={list.failure} title={title} onRetry={list.more} />;
  return list.hasBegun ? children : <Skeleton {...skeleton} />;
}
