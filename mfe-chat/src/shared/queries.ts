import { onlineManager, QueryClient } from '@tanstack/react-query';
import type { HttpFailure } from 'host/contract';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: HttpFailure;
  }
}

/** How long data is stored that no component shows any more, in ms. */
const UNUSED_MS = 1000;

/** The cache of one mounted screen. What has been read stays as it is until something invalidates it. */
export function createQueryClient(): QueryClient {
  // The manager assumes a connection until it sees it being lost.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
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

/** Waits for more of a query to be typed. Rejects when `signal` is aborted, as it is when another query takes its place. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
