import type { Handover } from 'api/contract/handover';
import type { HostServices } from 'host/contract';
import { useTranslate } from 'host/ui/use-translate.ts';
import styles from './read-records.module.css';
import { readingTexts } from './reading-texts.ts';

interface ReadHandoverProps {
  i18n: HostServices['i18n'];
  handover: Handover;
}

/** The messages with a person, in print. */
export function ReadHandover({ i18n, handover }: ReadHandoverProps) {
  const t = useTranslate(i18n, readingTexts);
  const time = new Intl.DateTimeFormat(i18n.locale(), { dateStyle: 'medium', timeStyle: 'short' });
  const { id, question, createdAt, messages } = handover;
  const all = [{ id, from: 'visitor', name: '', text: question, createdAt } as const, ...messages];
  return (
    <div className={styles.person}>
      <h2>{t('person')}</h2>
      {all.map((message) => (
        <div key={message.id}>
          <p className={styles.meta}>
            <b>{message.from === 'agent' ? message.name : t('visitor')}</b>{' '}
            <time dateTime={message.createdAt}>{time.format(new Date(message.createdAt))}</time>
          </p>
          <p className="type-read verbatim" dir="auto">
            {message.text}
          </p>
        </div>
      ))}
    </div>
  );
}
