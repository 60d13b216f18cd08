import { onlineManager, QueryClient } from '@tanstack/react-query';
import type { OpsFailure } from './ops-calls.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: OpsFailure;
  }
}

/** What is live and how it does are read this often while the page is visible, in ms. */
const POLL_MS = 15_000;

/** Options of a query that is polled, and read at once when the page comes back after a longer time. */
export const POLLED = { staleTime: POLL_MS, refetchInterval: POLL_MS };

/** The cache of one visit to /composition. Queries that are not polled are read once. */
export function createQueryClient(): QueryClient {
  // The manager assumes a connection until it sees it being lost.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 1000,
        refetchOnReconnect: true,
      },
    },
  });
}
