import type { Translate } from 'host/contract';
import type { HistoryTexts } from './history-texts.ts';

interface NothingFoundProps {
  t: Translate<HistoryTexts>;
  onClear(): void;
  onBin(): void;
}

/** Shown if no record matches the filters, with ways to continue. */
export function NothingFound({ t, onClear, onBin }: NothingFoundProps) {
  return (
    <div className="failed">
      <h2>{t('history.nothing')}</h2>
      <p>{t('history.nothing.about')}</p>
      <div className="row">
        <button className="button" type="button" onClick={onClear}>
          {t('clear')}
        </button>
        <button className="button bare" type="button" onClick={onBin}>
          {t('bin.open')}
        </button>
      </div>
    </div>
  );
}
