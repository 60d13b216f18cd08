import { useChat } from '../state/chat-context.ts';
import styles from './rows-skeleton.module.css';

export function RowsSkeleton() {
  const { t } = useChat();
  return (
    <div className={`skeleton ${styles.skeleton}`} role="status" aria-label={t('loading')}>
      {[0, 1].map((key) => (
        <div key={key}>
          <span className="skeleton-line" />
          <span className="skeleton-line third" />
          <span className="skeleton-line full" />
          <span className="skeleton-line most" />
        </div>
      ))}
    </div>
  );
}
