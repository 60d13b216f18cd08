import { focusManager, onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { HostServices, HttpFailure } from 'host/contract';
import { type ReactNode, useEffect, useState } from 'react';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: HttpFailure;
  }
}

/** How long the answer to a question that no component asks any more is kept, in ms. */
const UNUSED_MS = 1000;

// A window that stands beside another one gets the focus without having been hidden.
focusManager.setEventListener((handleFocus) => {
  const events = ['visibilitychange', 'focus'];
  const listener = () => handleFocus();
  for (const event of events) window.addEventListener(event, listener);
  return () => {
    for (const event of events) window.removeEventListener(event, listener);
  };
});

function createQueryClient(): QueryClient {
  // The manager assumes a connection until it sees it being lost.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        // Queries with `staleTime: 0` are read again whenever the page comes back to the front or online. All others stay as they were read.
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: UNUSED_MS,
        refetchOnReconnect: true,
      },
    },
  });
}

interface QueryRootProps {
  services: Pick<HostServices, 'storage'>;
  children: ReactNode;
}

/** What a screen reads, one cache per screen. When the owner changes (sign-in, sign-out, another tab), the screen starts over without it. */
export function QueryRoot({ services: { storage }, children }: QueryRootProps) {
  const [owner, setOwner] = useState(() => ({ client: createQueryClient(), changes: 0 }));
  useEffect(() => {
    // A BehaviorSubject emits its current value at once: that is the owner there is already.
    let isSettled = false;
    const subscription = storage.owner$.subscribe(() => {
      if (isSettled) setOwner(({ changes }) => ({ client: createQueryClient(), changes: changes + 1 }));
    });
    isSettled = true;
    return () => subscription.unsubscribe();
  }, [storage]);
  return (
    <QueryClientProvider key={owner.changes} client={owner.client}>
      {children}
    </QueryClientProvider>
  );
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
