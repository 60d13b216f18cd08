import type { HttpFailure, Translate } from 'host/contract';
import { spacedId } from '../filters/contact-label.ts';
import { LoadProblem } from '../load-problem.tsx';
import type { HistoryTexts } from './history-texts.ts';

interface SearchProblemProps {
  failure: HttpFailure;
  t: Translate<HistoryTexts>;
  onRetry(): void;
  onContact(id: string): void;
}

/** Shown after a failed search: retry, or choose the contact that a name means. */
export function SearchProblem({ failure, t, onRetry, onContact }: SearchProblemProps) {
  if (!failure.choices)
    return <LoadProblem failure={failure} title={t('history.failed')} t={t} onRetry={onRetry} />;
  return (
    <div className="failed" role="alert">
      <h2>{t('erase.choices')}</h2>
      <div className="row">
        {failure.choices.map(({ id, name }) => (
          <button key={id} className="chip" type="button" onClick={() => onContact(id)}>
            {name} <span className="num">{spacedId(id)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
