import { useChat } from '../state/chat-context.ts';
import styles from './rows-skeleton.module.css';

export function RowsSkeleton() {
  const { t } = useChat();
  return (
    <div className={styles.skeleton} role="status" aria-label={t('loading')}>
      {[0, 1].map((key) => (
        <div key={key}>
          <span className="skeleton-line" />
          <span className="skeleton-line" />
          <span className="skeleton-line" />
          <span className="skeleton-line" />
        </div>
      ))}
    </div>
  );
}
