import type { AnsweredSince as Since } from 'api/contract/records';
import type { Translate } from 'host/contract';
import type { Calendar } from '../calendar.ts';
import { AnswerText } from '../markdown/answer-text.tsx';
import { SourceMark } from '../source-mark.tsx';
import styles from './detail.module.css';
import type { HistoryTexts } from './history-texts.ts';

interface AnsweredSinceProps {
  since: Since;
  calendar: Calendar;
  t: Translate<HistoryTexts>;
}

/** A later answer by an editor, where the original found nothing or was rated not helpful. */
export function AnsweredSince({ since, calendar, t }: AnsweredSinceProps) {
  return (
    <section className={styles.since} aria-label={t('answeredSince')}>
      <header>
        <h3>{t('answeredSince')}</h3>
        <SourceMark source="curated" label={t('source.curated.long')} />
        <time className="num" dateTime={since.at}>
          {calendar.day(new Date(since.at))}
        </time>
      </header>
      <AnswerText markdown={since.answer} t={t} />
    </section>
  );
}
