import type { HttpFailure } from 'host/contract';
import { Problem } from 'host/ui/problem.tsx';
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
  const choices = failure.choices?.map((contact) => (
    <button key={contact.id} className="button" type="button" onClick={() => onChoose(contact.id)}>
      {[contact.name, spacedId(contact.id)].filter(Boolean).join(' ')}
    </button>
  ));
  return (
    <Problem
      title={t(isOffline ? 'offline' : 'failed')}
      message={isOffline ? t('offline.about') : failure.message}
      retryLabel={t('retry')}
      onRetry={onRetry}
      requestId={failure.requestId}
      actions={choices}
    />
  );
}
