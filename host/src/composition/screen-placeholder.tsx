import { Icon } from 'host/ui/icon.tsx';
import styles from './composition.module.css';
import type { OpsFailure } from './ops-calls.ts';
import { useScreen } from './screen-context.ts';

/** Shown before anything is loaded: a skeleton of the layout, or the failure. */
export function ScreenPlaceholder({ failure, retry }: { failure: OpsFailure | null; retry(): void }) {
  const { t } = useScreen();
  if (failure)
    return (
      <div className="failed" role="alert">
        <h2>{t('failed')}</h2>
        <p>{failure.message}</p>
        <div className="row">
          <button className="button primary" type="button" onClick={retry}>
            <Icon name="retry" isSmall />
            {t('retry')}
          </button>
        </div>
      </div>
    );
  return (
    <div className={styles.ops} role="status" aria-busy="true" aria-label={t('loading')}>
      <div className={styles.main}>
        <div className={styles.skeleton}>
          <span className="skeleton-line third" />
          <span className="skeleton-line half" />
          <span className="skeleton-line full" />
        </div>
        <div className={styles.skeleton}>
          {[1, 2, 3, 4, 5].map((line) => (
            <span key={line} className="skeleton-line full" />
          ))}
        </div>
      </div>
      <div className={styles.aside}>
        <div className={styles.skeleton}>
          {[1, 2, 3].map((line) => (
            <span key={line} className="skeleton-line most" />
          ))}
        </div>
      </div>
    </div>
  );
}
