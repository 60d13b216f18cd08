import type { HttpFailure } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { spacedId } from '../filters/contact-label.ts';
import type { ReportTranslate } from './report-texts.ts';

interface ReportProblemProps {
  failure: HttpFailure;
  t: ReportTranslate;
  onRetry(): void;
  /** Called with the chosen contact if a name matches several. */
  onChoose(contact: string): void;
}

/** Shown if the figures could not be loaded: what happened, what happens next, and a retry button. */
export function ReportProblem({ failure, t, onRetry, onChoose }: ReportProblemProps) {
  // If the browser is online, the server is unreachable, as the failure says.
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
