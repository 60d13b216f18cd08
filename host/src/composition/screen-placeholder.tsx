import { Problem } from 'host/ui/problem.tsx';
import styles from './composition.module.css';
import type { OpsFailure } from './ops-calls.ts';
import { useScreen } from './screen-context.ts';

/** Shown before anything is loaded: a skeleton of the layout, or the failure. */
export function ScreenPlaceholder({ failure, retry }: { failure: OpsFailure | null; retry(): void }) {
  const { t } = useScreen();
  if (failure)
    return <Problem title={t('failed')} message={failure.message} retryLabel={t('retry')} onRetry={retry} />;
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
