import type { HttpFailure, Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import type { RecordTexts } from './texts.ts';

interface ProblemProps {
  failure: HttpFailure;
  title: string;
  t: Translate<RecordTexts>;
  onRetry(): void;
}

/** Shown if a screen could not be loaded: what happened, what happens next, and a retry button. */
export function Problem({ failure, title, t, onRetry }: ProblemProps) {
  // If the browser is online, the server is unreachable, as the failure says.
  const isOffline = failure.error === 'offline' && !navigator.onLine;
  return (
    <div className="failed" role="alert">
      <h2>{isOffline ? t('history.offline') : title}</h2>
      <p>{isOffline ? t('history.offline.about') : failure.message}</p>
      <div className="row">
        <button className="button" type="button" onClick={onRetry}>
          <Icon name="retry" className="icon-s" />
          {t('retry')}
        </button>
      </div>
      {failure.requestId && <code>{failure.requestId}</code>}
    </div>
  );
}
