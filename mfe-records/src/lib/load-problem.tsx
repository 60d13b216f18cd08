import type { HttpFailure } from 'host/contract';
import { Problem } from 'host/ui/problem.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import type { ComponentProps, ReactNode } from 'react';
import { recordTexts } from './texts.ts';

interface LoadProblemProps {
  failure: HttpFailure;
  title: string;
  onRetry(): void;
  /** Other actions instead of a retry. */
  actions?: ReactNode;
}

/** A failed call. Without a network it says that loading continues when the network is back. */
export function LoadProblem({ failure, title, onRetry, actions }: LoadProblemProps) {
  const t = useTexts(recordTexts);
  // If the browser is online, the failure itself says that the server cannot be reached.
  const isOffline = failure.error === 'offline' && !navigator.onLine;
  return (
    <Problem
      title={isOffline ? t('history.offline') : title}
      message={isOffline ? t('history.offline.about') : failure.message}
      onRetry={onRetry}
      requestId={failure.requestId}
      actions={actions}
    />
  );
}

interface FirstReadProps extends ComponentProps<typeof Skeleton> {
  query: { data?: unknown; error: HttpFailure | null; refetch(): unknown };
  /** Title of the problem. */
  title: string;
}

/** Shown until data is loaded for the first time: a placeholder, or why loading failed. */
export function FirstRead({ query: { data, error, refetch }, title, ...skeleton }: FirstReadProps) {
  if (data !== undefined) return null;
  if (error) return <LoadProblem failure={error} title={title} onRetry={() => void refetch()} />;
  return <Skeleton {...skeleton} />;
}
