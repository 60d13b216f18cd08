import styles from './report.module.css';
import type { ReportWords } from './report-words.ts';
import type { Tally } from './tally.ts';

/** The four figures at the head of the report, each with what it is made of. */
export function Figures({ counts, t, numbers }: ReportWords & { counts: Tally }) {
  const { total, answered, unanswered, failed, byDay, medianMs } = counts;
  const share = total ? Math.round((answered / total) * 1000) / 10 : 0;
  const perDay = byDay.length ? Math.round((total / byDay.length) * 10) / 10 : 0;
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{t('total')}</dt>
        <dd>{numbers.format(total)}</dd>
        <dd className={styles.sub}>{t('total.about', { count: numbers.format(perDay) })}</dd>
      </div>
      <div>
        <dt>{t('answered')}</dt>
        <dd>
          {numbers.format(share)}
          <small>%</small>
        </dd>
        <dd className={styles.sub}>{t('answered.about', { count: numbers.format(answered) })}</dd>
      </div>
      <div>
        <dt>{t('unanswered')}</dt>
        <dd>{numbers.format(unanswered)}</dd>
        <dd className={styles.sub}>
          {failed ? t('unanswered.failed', { count: numbers.format(failed) }) : t('unanswered.none')}
        </dd>
      </div>
      <div>
        <dt>{t('median')}</dt>
        <dd>
          {medianMs === null ? '–' : numbers.format(Math.round(medianMs / 100) / 10)}
          {medianMs !== null && <small>{t('seconds')}</small>}
        </dd>
        <dd className={styles.sub}>{t(medianMs === null ? 'median.none' : 'median.about')}</dd>
      </div>
    </dl>
  );
}
