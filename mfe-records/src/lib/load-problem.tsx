import type { HttpFailure, Translate } from 'host/contract';
import { Problem } from 'host/ui/problem.tsx';
import type { RecordTexts } from './texts.ts';

interface LoadProblemProps {
  failure: HttpFailure;
  title: string;
  t: Translate<RecordTexts>;
  onRetry(): void;
}

/** A failed call: without a network it says so, as loading continues when it is back. */
export function LoadProblem({ failure, title, t, onRetry }: LoadProblemProps) {
  // If the browser is online, the server is unreachable, as the failure says.
  const isOffline = failure.error === 'offline' && !navigator.onLine;
  return (
    <Problem
      title={isOffline ? t('history.offline') : title}
      message={isOffline ? t('history.offline.about') : failure.message}
      retryLabel={t('retry')}
      onRetry={onRetry}
      requestId={failure.requestId}
    />
  );
}
