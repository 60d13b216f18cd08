import { extremes } from './extremes.ts';
import styles from './report.module.css';
import type { ReportWords } from './report-words.ts';
import { scaleFor } from './scale.ts';
import type { DayCount } from './tally.ts';

interface DayBarsProps extends ReportWords {
  days: DayCount[];
  /** Of the drawing, in its own units: about the pixels it gets. */
  width: number;
  /** YYYY-MM-DD: this day is not over and stands dashed. */
  today: string;
  /** The chart in a sentence. */
  label: string;
  className: string | undefined;
}

const LEFT = 32;
const TOP = 16;
const PLOT = 162;
/** A label needs about this much room. */
const LABEL = 26;

/** Bars from zero in one hue; figures stand on the peak and the low alone. */
export function DayBars({ days, width, today, label, className, t, calendar, numbers }: DayBarsProps) {
  const [peak, low] = extremes(days);
  const lines = scaleFor(peak?.count ?? 0);
  const top = lines.at(-1) ?? 1;
  const y = (count: number) => TOP + PLOT * (1 - count / top);
  const step = (width - LEFT) / days.length;
  const bar = Math.min(step * 0.54, 40);
  const every = Math.max(1, Math.ceil(LABEL / step));
  const newest = days.length - 1;
  const isFlat = peak?.count === low?.count;

  return (
    <svg
      className={`${styles.chart} ${className}`}
      viewBox={`0 0 ${width} ${TOP + PLOT + 24}`}
      role="img"
      aria-label={label}
    >
      {lines.map((line) => (
        <g key={line}>
          <line className={styles.axis} x1={LEFT} x2={width} y1={y(line)} y2={y(line)} />
          <text x={LEFT - 8} y={y(line) + 4} textAnchor="end">
            {numbers.format(line)}
          </text>
        </g>
      ))}
      {days.map((day, index) => {
        const middle = LEFT + step * (index + 0.5);
        const isToday = day.key === today;
        const shape = {
          x: middle - bar / 2,
          y: y(day.count),
          width: bar,
          height: y(0) - y(day.count),
          rx: 2,
        };
        const isNamed = !isFlat && (day === peak || day === low);
        return (
          <g key={day.key}>
            <title>
              {t('byDay.bar', {
                day: calendar.day(day.date),
                count: numbers.format(day.count),
                unanswered: numbers.format(day.unanswered),
              })}
            </title>
            <rect className={isToday ? `${styles.bar} ${styles.soft}` : styles.bar} {...shape} />
            {isToday && day.count > 0 && <rect className={styles.now} {...shape} />}
            {isNamed && (
              <text className={styles.peak} x={middle} y={y(day.count) - 6} textAnchor="middle">
                {numbers.format(day.count)}
              </text>
            )}
            {(newest - index) % every === 0 && (
              <text x={middle} y={TOP + PLOT + 18} textAnchor="middle">
                {day.date.getDate()}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
