import type { Handover } from 'api/contract/handover';
import { formatClock, formatDay } from 'host/ui/format-date.ts';
import { useChat } from '../state/chat-context.ts';
import { handoverTexts, useTexts } from '../state/part-texts.ts';
import styles from './thread-messages.module.css';

/** The question and all messages, oldest first: plain text with its line breaks. */
export function ThreadMessages({ handover }: { handover: Handover }) {
  const t = useTexts(handoverTexts);
  const { id, question, contactDetails, createdAt, messages } = handover;
  const asked = { id, from: 'visitor' as const, name: '', text: question, createdAt };
  return (
    <ol className={styles.messages}>
      {[asked, ...messages].map(({ id: key, from, name, text, createdAt: at }) => (
        <li key={key} data-from={from}>
          <div className={styles.meta}>
            {from === 'agent' ? (
              <>
                <b dir="auto">{name}</b>
                <span className={styles.tag}>{t('person')}</span>
              </>
            ) : (
              <span>{t('me')}</span>
            )}
            <Time at={at} />
          </div>
          <p className={`type-read verbatim ${styles.text}`} dir="auto">
            {text}
          </p>
          {key === id && contactDetails && (
            <p className={styles.contact}>{t('contactShown', { details: contactDetails })}</p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The time, with its day unless that is today. */
function Time({ at }: { at: string }) {
  const { services } = useChat();
  const locale = services.i18n.locale();
  const now = new Date();
  const isToday = new Date(at).toDateString() === now.toDateString();
  return (
    <time dateTime={at}>
      {!isToday && `${formatDay(at, locale, now)} `}
      {formatClock(at, locale)}
    </time>
  );
}
