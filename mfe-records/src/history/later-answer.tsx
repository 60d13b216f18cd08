import type { AnsweredSince as Since } from 'api/contract/records';
import type { Translate } from 'host/contract';
import { SourceMark } from 'host/ui/source-mark.tsx';
import type { Calendar } from '../calendar.ts';
import { SavedAnswer } from '../saved-answer.tsx';
import styles from './detail.module.css';
import type { HistoryTexts } from './history-texts.ts';

interface LaterAnswerProps {
  since: Since;
  calendar: Calendar;
  t: Translate<HistoryTexts>;
}

/** A later answer by an editor, where the original found nothing or was rated not helpful. */
export function LaterAnswer({ since, calendar, t }: LaterAnswerProps) {
  return (
    <section className={styles.since} aria-label={t('answeredSince')}>
      <header>
        <h3>{t('answeredSince')}</h3>
        <SourceMark source="curated" label={t('source.curated.long')} />
        <time className="num" dateTime={since.at}>
          {calendar.day(new Date(since.at))}
        </time>
      </header>
      <SavedAnswer markdown={since.answer} t={t} />
    </section>
  );
}
