import { useId, useState } from 'react';
import { dayKey } from './calendar.ts';
import { DayBars } from './day-bars.tsx';
import { extremes } from './extremes.ts';
import styles from './report.module.css';
import type { ReportWords } from './report-words.ts';
import type { DayCount } from './tally.ts';

/** More bars than this cannot be told apart on a phone. */
const SHOWN = 31;

interface DayChartProps extends ReportWords {
  days: DayCount[];
}

/** Questions a day, as bars with one sentence for those who cannot see them, or as a table. */
export function DayChart({ days, t, calendar, numbers }: DayChartProps) {
  const titleId = useId();
  const [isTable, setTable] = useState(false);
  const shown = days.slice(-SHOWN);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return null;
  const range = { from: calendar.day(first.date), to: calendar.day(last.date) };
  const today = dayKey(new Date());
  const sentence = summary(shown, range, { t, calendar, numbers });

  return (
    <section className="section" aria-labelledby={titleId}>
      <div className="section-head">
        <h2 id={titleId}>{t('byDay')}</h2>
        <span className="quiet">
          {days.length > SHOWN
            ? t('byDay.last', { count: SHOWN })
            : shown.length > 1
              ? t('byDay.all', range)
              : range.to}
        </span>
        <button
          className={`end ${styles.toggle}`}
          type="button"
          aria-expanded={isTable}
          onClick={() => setTable((before) => !before)}
        >
          {t(isTable ? 'showChart' : 'showTable')}
        </button>
      </div>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keyboard too
        <section className={styles.tableScroll} tabIndex={0} aria-label={sentence}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('day')}</th>
                <th scope="col" className="right">
                  {t('count')}
                </th>
                <th scope="col" className="right">
                  {t('unanswered')}
                </th>
              </tr>
            </thead>
            <tbody>
              {[...shown].reverse().map((day) => (
                <tr key={day.key}>
                  <td>
                    {calendar.day(day.date)} {calendar.weekday(day.date)}
                  </td>
                  <td className="right">{numbers.format(day.count)}</td>
                  <td className="right">{numbers.format(day.unanswered)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <>
          <DayBars
            days={shown}
            width={783}
            today={today}
            className={styles.wideChart}
            label={sentence}
            {...{ t, calendar, numbers }}
          />
          <DayBars
            days={shown}
            width={358}
            today={today}
            className={styles.narrowChart}
            label={sentence}
            {...{ t, calendar, numbers }}
          />
        </>
      )}
    </section>
  );
}

function summary(
  days: DayCount[],
  range: { from: string; to: string },
  { t, calendar, numbers }: ReportWords,
): string {
  const [peak, low] = extremes(days);
  if (!peak || !low || days.length === 1)
    return t('byDay.one', { from: range.from, most: numbers.format(peak?.count ?? 0) });
  return t('byDay.summary', {
    ...range,
    peak: calendar.day(peak.date),
    most: numbers.format(peak.count),
    low: calendar.day(low.date),
    least: numbers.format(low.count),
  });
}
