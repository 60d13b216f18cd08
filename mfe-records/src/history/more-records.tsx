import type { HttpFailure, Translate } from 'host/contract';
import styles from './history.module.css';
import type { HistoryTexts } from './history-texts.ts';

interface MoreRecordsProps {
  isLoading: boolean;
  failure: HttpFailure | null;
  t: Translate<HistoryTexts>;
  onMore(): void;
}

/** The end of the loaded list. Scrolling near it or pressing its button loads more, also after a failure. */
export function MoreRecords({ isLoading, failure, t, onMore }: MoreRecordsProps) {
  return (
    <div className={styles.more}>
      {failure && <p role="alert">{failure.message}</p>}
      <button className="button" type="button" aria-disabled={isLoading || undefined} onClick={onMore}>
        {t(isLoading ? 'history.loadingMore' : failure ? 'retry' : 'history.more')}
      </button>
    </div>
  );
}
