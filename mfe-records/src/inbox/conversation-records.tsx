import type { InboxRecord } from 'api/contract/handover';
import type { Translate } from 'host/contract';
import type { DateFormats } from 'host/ui/format-date.ts';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { SavedAnswer } from '../lib/saved-answer.tsx';
import styles from './handover.module.css';
import type { InboxTexts } from './inbox-texts.ts';

interface ConversationRecordsProps {
  records: InboxRecord[];
  calendar: DateFormats;
  t: Translate<InboxTexts>;
}

/** What the visitor asked before, and the answers of the desk, each collapsed. */
export function ConversationRecords({ records, calendar, t }: ConversationRecordsProps) {
  return (
    <section className={styles.records} aria-label={t('records')}>
      <h3>{t('records')}</h3>
      {records.length === 0 && <p className="quiet">{t('records.none')}</p>}
      {records.map(({ question, answer, source, createdAt }) => (
        <details key={`${createdAt}${question}`}>
          <summary>
            <span className="clip" dir="auto">
              {question}
            </span>
            <SourceMark source={source} label={t(`source.${source}`)} />
          </summary>
          <div className={styles.answer}>
            <p className={styles.words} dir="auto">
              {question}
            </p>
            <p className={styles.sender}>
              <time className="num" dateTime={createdAt}>
                {calendar.moment(new Date(createdAt))}
              </time>
            </p>
            <SavedAnswer markdown={answer} t={t} />
          </div>
        </details>
      ))}
    </section>
  );
}
