import {
  focusManager,
  type InfiniteData,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  onlineManager,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/** How long answers that no component uses any more are stored, in ms. */
const UNUSED_MS = 1000;

// A window beside other windows can get the focus without having been hidden.
focusManager.setEventListener((handleFocus) => {
  // The first state of a screen is rendered at build time.
  if (typeof window === 'undefined') return undefined;
  const over = new AbortController();
  for (const event of ['visibilitychange', 'focus'])
    window.addEventListener(event, () => handleFocus(), { signal: over.signal });
  return () => over.abort();
});

/** Invalidating a query also repeats its first request, whose response may be older. The base class only does so if there is data. */
class Queries extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const isFirst = (query: { state: { data: unknown } }) => query.state.data === undefined;
    await this.cancelQueries({ ...filters, fetchStatus: 'fetching', predicate: isFirst });
    return super.invalidateQueries(filters, options);
  }
}

/**
 * The cache of one mounted screen. Queries with `staleTime: 0` are loaded again when the page gets the focus or the browser is online
 * again; all others only if they failed. There are no automatic retries, because failures are shown.
 */
export function createQueryClient(): QueryClient {
  // The manager assumes a connection until an event says otherwise.
  onlineManager.setOnline(navigator.onLine);
  return new Queries({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: UNUSED_MS,
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always', gcTime: UNUSED_MS },
    },
  });
}

/** Changes all pages of an infinite query. If it is being loaded, the response may be older than the change, so it is loaded again. */
export function editPages<Page>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (page: Page, index: number) => Page,
): void {
  const query = { queryKey, exact: true };
  const isReading = client.isFetching(query) > 0;
  void client.cancelQueries(query);
  client.setQueryData<InfiniteData<Page>>(
    queryKey,
    (before) => before && { ...before, pages: before.pages.map(change) },
  );
  if (isReading) void client.invalidateQueries(query);
}

/** Reads pages until one has records. Pages of a search may be empty, because the API examines a limited number of records for each. */
export async function readUntilFound<Page extends { records: readonly unknown[]; nextCursor: string | null }>(
  from: string | null,
  read: (cursor: string | null) => Promise<Page>,
): Promise<Page> {
  const first = await read(from);
  let page = first;
  while (page.records.length === 0 && page.nextCursor !== null)
    page = { ...first, ...(await read(page.nextCursor)) };
  return page;
}

/** Waits in a query until the visitor has stopped typing. Rejects when `signal` is aborted because another query replaces this one. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
