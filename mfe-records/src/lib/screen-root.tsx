import { QueryClientProvider } from '@tanstack/react-query';
import type { HostServices, HttpFailure, Screen } from 'host/contract';
import { PartServices } from 'host/ui/late-part.tsx';
import { createQueryClient } from 'host/ui/queries.ts';
import { ScreenServices } from 'host/ui/screen.tsx';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { recordTexts } from './texts.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: HttpFailure;
  }
}

interface ScreenRootProps {
  services: Pick<HostServices, 'i18n' | 'report' | 'storage'>;
  controls?: ReactNode;
  /** Class of the `main` element. */
  className?: string | undefined;
  children: ReactNode;
}

/**
 * The `main` element of a screen, with its error report and its cache. When the owner changes (sign-in, sign-out, another tab), the screen
 * starts again with an empty cache.
 */
export function ScreenRoot({ services, controls, className = '', children }: ScreenRootProps) {
  const { storage } = services;
  const [owner, setOwner] = useState(() => ({ client: createQueryClient(), changes: 0 }));
  useEffect(() => {
    // A BehaviorSubject emits its current value first, which is not a change of the owner.
    let isSettled = false;
    const subscription = storage.owner$.subscribe(() => {
      if (isSettled) setOwner(({ changes }) => ({ client: createQueryClient(), changes: changes + 1 }));
    });
    isSettled = true;
    return () => subscription.unsubscribe();
  }, [storage]);
  return (
    <main className={`page ${className}`} id="main" tabIndex={-1}>
      <PartServices value={services}>
        <ScreenServices services={services} controls={controls} labels={recordTexts}>
          <QueryClientProvider key={owner.changes} client={owner.client}>
            {children}
          </QueryClientProvider>
        </ScreenServices>
      </PartServices>
    </main>
  );
}

/** The screen with this content. `className` is that of its `main` element. */
export function screenOf(Content: ComponentType, className?: string): Screen {
  return function ScreenOf({ services, controls }) {
    return (
      <ScreenRoot services={services} controls={controls} className={className}>
        <Content />
      </ScreenRoot>
    );
  };
}
