import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { OpsCalls } from './ops-calls.ts';

export type History = ReturnType<typeof useHistory>;

/** The changes of the pointer, page by page; loaded again with every `revision`. */
export function useHistory(calls: OpsCalls, revision: number | undefined) {
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ['history'],
    queryFn: ({ pageParam, signal }) => calls.history(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: revision !== undefined,
  });
  useEffect(() => {
    if (revision !== undefined) void client.invalidateQueries({ queryKey: ['history'] });
  }, [client, revision]);
  const { data, isFetchingNextPage, fetchNextPage } = query;
  /** Newest first; undefined until the first page is loaded. */
  const moves = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.moves);
    return all && [...new Map(all.map((move) => [move.revision, move])).values()];
  }, [data]);

  return {
    ...query,
    moves,
    failure: isFetchingNextPage ? null : query.error,
    more(): void {
      if (!isFetchingNextPage) void fetchNextPage();
    },
  };
}
