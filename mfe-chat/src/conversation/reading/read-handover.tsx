import type { Handover } from 'api/contract/handover';
import { useTexts } from 'host/ui/screen.tsx';
import styles from './read-records.module.css';
import { Time } from './read-records.tsx';
import { readingTexts } from './reading-texts.ts';

/** The messages with a person, in print. */
export function ReadHandover({ handover }: { handover: Handover }) {
  const t = useTexts(readingTexts);
  const { id, question, createdAt, messages } = handover;
  const all = [{ id, from: 'visitor', name: '', text: question, createdAt } as const, ...messages];
  return (
    <div className={styles.person}>
      <h2>{t('person')}</h2>
      {all.map((message) => (
        <div key={message.id}>
          <p className={styles.meta}>
            <b>{message.from === 'agent' ? message.name : t('visitor')}</b> <Time at={message.createdAt} />
          </p>
          <p className="type-read verbatim" dir="auto">
            {message.text}
          </p>
        </div>
      ))}
    </div>
  );
}
