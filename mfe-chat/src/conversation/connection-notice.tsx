import { Icon } from 'host/ui/icon.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useStream } from 'host/ui/use-stream.ts';
import styles from '../chat-layout.module.css';
import { useChat } from '../state/chat-context.ts';
import { useSecondsUntil } from './use-seconds-until.ts';

/** Shows that the connection of an answer is lost and when it is retried. The host shows when the browser is offline. */
export function ConnectionNotice() {
  const { t, chat } = useChat();
  const { retryAt, runningKey } = useStream(chat.consultation.state$);
  const isLost = useDelayed(retryAt !== null, 800);
  const seconds = useSecondsUntil(retryAt);
  if (!isLost) return null;
  const isAsked = Boolean(runningKey && chat.store.message(runningKey)?.recordId);
  return (
    <div className={`banner ${styles.notice}`} role="status">
      <Icon name="offline" />
      <p>{t(isAsked ? 'lost' : 'lostUnsent')}</p>
      {seconds > 0 && (
        <span className="num quiet" aria-hidden="true">
          {t('retryIn', { seconds })}
        </span>
      )}
      <button className="button" type="button" onClick={() => chat.consultation.reconnect()}>
        {t('retryNow')}
      </button>
    </div>
  );
}
