import { QueryClientProvider } from '@tanstack/react-query';
import type { HostServices, HttpFailure } from 'host/contract';
import { createQueryClient } from 'host/ui/queries.ts';
import { type ReactNode, useEffect, useState } from 'react';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: HttpFailure;
  }
}

interface QueryRootProps {
  services: Pick<HostServices, 'storage'>;
  children: ReactNode;
}

/** Everything that a screen reads. When the owner changes (sign-in, sign-out, another tab), the screen starts again without it. */
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
