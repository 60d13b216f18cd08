import type { HttpFailure } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { spacedId } from '../filters/contact-label.ts';
import type { ReportTranslate } from './report-words.ts';

interface ReportProblemProps {
  failure: HttpFailure;
  t: ReportTranslate;
  onRetry(): void;
  /** A contact out of those that a name could mean. */
  onChoose(contact: string): void;
}

/** Figures that could not be read: what happened, what happens next, and the way to try again. */
export function ReportProblem({ failure, t, onRetry, onChoose }: ReportProblemProps) {
  // Where the browser has a network, it is the server that cannot be reached: the failure says so.
  const isOffline = failure.error === 'offline' && !navigator.onLine;
  return (
    <div className="failed" role="alert">
      <h2>{t(isOffline ? 'offline' : 'failed')}</h2>
      <p>{isOffline ? t('offline.about') : failure.message}</p>
      <div className="row">
        {failure.choices?.map((contact) => (
          <button key={contact.id} className="button" type="button" onClick={() => onChoose(contact.id)}>
            {[contact.name, spacedId(contact.id)].filter(Boolean).join(' ')}
          </button>
        ))}
        {!failure.choices && (
          <button className="button" type="button" onClick={onRetry}>
            <Icon name="retry" className="icon-s" />
            {t('retry')}
          </button>
        )}
      </div>
      {failure.requestId && <code>{failure.requestId}</code>}
    </div>
  );
}
