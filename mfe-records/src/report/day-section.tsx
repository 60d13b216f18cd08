import type { RecordStats } from 'api/contract/search';
import type { ColumnDatum } from 'host/ui/charts/bar-charts.tsx';
import { Chart } from 'host/ui/charts/chart.tsx';
import { scaleFor } from 'host/ui/charts/scale.ts';
import { useFormats } from 'host/ui/screen.tsx';
import { useMotion } from 'host/ui/use-media.ts';
import { useId } from 'react';
import { dayIn, daysIn } from '../history/filters/days.ts';
import { type Filter, timeZone } from '../history/filters/filter.ts';
import { chartTexts } from '../lib/chart-texts.ts';
import { type Bucket, extremes, perDay, type Series, seriesOf, type Unit } from './series.ts';
import { useWords, type Words } from './use-words.ts';

const HEIGHT = 204;
/** Minimum width of one bar in px; a narrower screen scrolls. */
const STEP = 13;
const LABEL: Record<Unit, number> = { day: 34, week: 40, month: 44, year: 44 };

interface DaySectionProps {
  stats: Pick<RecordStats, 'byDay'>;
  filter: Pick<Filter, 'from' | 'to'>;
  at: Date;
  /** Whether there is a previous period. The figures then show the comparison, and the average is shown here. */
  hasPeriodBefore: boolean;
}

/** Number of questions per day, or per week, month or year for longer periods. */
export function DaySection({ stats, filter, at, hasPeriodBefore }: DaySectionProps) {
  const { t, days, numbers } = useWords();
  const { dates } = useFormats();
  const today = dayIn(timeZone(), at);
  const series = seriesOf(stats.byDay, filter, today);
  const isAnimated = useMotion();
  const { unit, buckets } = series;
  const id = useId();
  const name = t(`by.${unit}`);
  const nameOf = (bucket: Bucket) => bucketName(bucket, unit, days);
  const ends = extremes(buckets);
  const isFlat = ends?.peak.count === ends?.low.count;
  const lines = scaleFor(ends?.peak.count ?? 0);
  const average = numbers.format(Math.round(perDay(series) * 10) / 10);
  const isNow = (bucket: Bucket) => bucket.from <= today && today <= bucket.to;

  const data = (width: number): ColumnDatum[] => {
    const every = Math.max(1, Math.ceil(LABEL[unit] / (width / buckets.length)));
    return buckets.map((bucket, index) => ({
      key: bucket.from,
      name: nameOf(bucket),
      tick: index % every === 0 ? tickOf(series, index, every, days) : '',
      values: [bucket.count],
      texts: [t('by.bar', { count: numbers.format(bucket.count) })],
      isOpen: isNow(bucket),
      ...(!isFlat && (bucket === ends?.peak || bucket === ends?.low)
        ? { figure: numbers.format(bucket.count) }
        : {}),
    }));
  };

  return (
    <Chart
      title={name}
      about={[
        hasPeriodBefore && t('total.about', { count: average }),
        buckets.some(isNow) && t('by.now', { time: dates.clock(at) }),
      ]
        .filter(Boolean)
        .join(t('joint'))}
      texts={chartTexts(t, name)}
      summary={summaryOf(series, name, { t, days, numbers })}
      height={HEIGHT}
      minWidth={buckets.length * STEP + 40}
      head={[t(`col.${unit}`), t('count')]}
      rows={buckets.map((bucket) => ({
        key: bucket.from,
        cells: [nameOf(bucket), numbers.format(bucket.count)],
      }))}
      draw={({ Columns }, width) => (
        <Columns
          id={id}
          looks={['accent']}
          data={data(width - 40)}
          lines={lines}
          width={width}
          height={HEIGHT}
          isAnimated={isAnimated}
          format={(value) => numbers.format(value)}
        />
      )}
    />
  );
}

function summaryOf({ unit, buckets }: Series, name: string, { t, days, numbers }: Words): string {
  const ends = extremes(buckets);
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!ends || !first || !last) return name;
  const range = days.range(first.from, last.to);
  const most = numbers.format(ends.peak.count);
  if (buckets.length === 1) return t('by.one', { name, range, most });
  if (ends.peak.count === ends.low.count) return t('by.flat', { name, range, most });
  return t('by.summary', {
    name,
    range,
    peak: bucketName(ends.peak, unit, days),
    most,
    low: bucketName(ends.low, unit, days),
    least: numbers.format(ends.low.count),
  });
}

/** Name of a whole month or year, otherwise its days. */
function bucketName({ from, to }: Bucket, unit: Unit, days: Words['days']): string {
  if (unit === 'month' && daysIn(from, to) >= 28) return days.month(from);
  if (unit === 'year' && daysIn(from, to) >= 365) return from.slice(0, 4);
  return days.range(from, to);
}

/** Axis label: 15, or 7/1 where a month begins; for months their name, for January the year. */
function tickOf({ unit, buckets }: Series, index: number, every: number, days: Words['days']): string {
  const { from } = buckets[index]!;
  const [year, month, date] = from.split('-').map(Number);
  if (unit === 'year') return String(year);
  const before = buckets[index - every]?.from;
  if (unit === 'month') {
    const isNewYear = !before || before.slice(0, 4) !== from.slice(0, 4);
    return isNewYear && index > 0 ? String(year) : days.monthName(from);
  }
  const isNewMonth = before?.slice(0, 7) !== from.slice(0, 7);
  const isOneMonth = buckets[0]!.from.slice(0, 7) === buckets.at(-1)!.to.slice(0, 7);
  return unit === 'week' || (isNewMonth && !isOneMonth) ? `${month}/${date}` : String(date);
}
