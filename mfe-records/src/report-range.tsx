import type { HttpFailure } from 'host/contract';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { dayKey } from './calendar.ts';
import { Icon } from './icon.tsx';
import styles from './report.module.css';
import type { ReportWords } from './report-words.ts';
import type { Tally } from './tally.ts';

interface ReportRangeProps extends ReportWords {
  counts: Tally;
  step: number;
  hasMore: boolean;
  isLoading: boolean;
  failure: HttpFailure | null;
  onMore(): void;
}

/** What the figures are made of: how many records, from when to when, and whether there are earlier ones. */
export function ReportRange(props: ReportRangeProps) {
  const { counts, step, hasMore, isLoading, failure, onMore, t, calendar, numbers } = props;
  const titleId = useId();
  const [first, last] = [counts.byDay[0], counts.byDay.at(-1)];
  const count = numbers.format(counts.total);
  const days = (from: Date, to: Date) =>
    dayKey(from) === dayKey(to)
      ? calendar.day(from)
      : t('range.days', { from: calendar.day(from), to: calendar.day(to) });
  return (
    <aside className={styles.range} aria-labelledby={titleId}>
      <h2 id={titleId}>{t('range')}</h2>
      <div role="status">
        <p className={styles.scope}>
          {isLoading ? t('range.running', { count }) : t(hasMore ? 'range.some' : 'range.all', { count })}
        </p>
        {first && last && <p className="num">{days(first.date, last.date)}</p>}
        {counts.answering > 0 && <p>{t('range.answering', { count: numbers.format(counts.answering) })}</p>}
        <p>{!isLoading && !hasMore ? t('range.complete') : t('range.yours')}</p>
      </div>
      {failure && (
        <p className="field-note error" role="alert">
          <Icon name="alert" />
          {t('range.broken', { message: failure.message })}
        </p>
      )}
      {hasMore && (
        <button className="button" type="button" aria-disabled={isLoading || undefined} onClick={onMore}>
          {failure ? t('retry') : t('range.more', { count: numbers.format(step) })}
        </button>
      )}
      <Link className="button bare" to="/history">
        <Icon name="records" className="icon-s" />
        {t('range.history')}
      </Link>
    </aside>
  );
}
