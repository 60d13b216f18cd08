import type { Handover } from 'api/contract/handover';
import type { Translate } from 'host/contract';
import type { Calendar } from '../calendar.ts';
import styles from './handover.module.css';
import type { InboxTexts } from './inbox-texts.ts';

interface MessageThreadProps {
  messages: Handover['messages'];
  calendar: Calendar;
  t: Translate<InboxTexts>;
}

/** The messages after the question, oldest first. New ones are announced. */
export function MessageThread({ messages, calendar, t }: MessageThreadProps) {
  return (
    <div
      className={styles.thread}
      role="log"
      aria-label={t('thread')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
      tabIndex={0}
    >
      {messages.map(({ id, from, name, text, createdAt }) => (
        <div key={id} className={styles.message} data-from={from}>
          <p className={styles.sender}>
            <b>{from === 'agent' ? name : t('visitor')}</b>
            <time className="num" dateTime={createdAt}>
              {calendar.moment(new Date(createdAt))}
            </time>
          </p>
          <p className={styles.words} dir="auto">
            {text}
          </p>
        </div>
      ))}
    </div>
  );
}
