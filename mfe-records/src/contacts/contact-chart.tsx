import type { RecordFilter, RecordStats } from 'api/contract/search';
import type { ColumnDatum } from 'host/ui/charts/bar-charts.tsx';
import { Chart } from 'host/ui/charts/chart.tsx';
import { scaleFor } from 'host/ui/charts/scale.ts';
import { grouped } from 'host/ui/grouped.ts';
import { type Day, localDate } from 'host/ui/local-day.ts';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { useMotion } from 'host/ui/use-media.ts';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { dayIn, startOfMonth } from '../history/filters/days.ts';
import { addressOf, EVERYTHING, inTimeZone, timeZone } from '../history/filters/filter.ts';
import { chartTexts } from '../lib/chart-texts.ts';
import { LoadProblem } from '../lib/load-problem.tsx';
import { useRead } from '../lib/services.ts';
import { contactTexts } from '../lib/texts.ts';

interface ContactChartProps {
  id: string;
  /** Number of records of the contact; when it changes, the figures are loaded again. */
  recordCount: number;
}

const HEIGHT = 150;

/** Number of questions in each of the last 12 months, and how many of all have been answered. */
export function ContactChart({ id, recordCount }: ContactChartProps) {
  const t = useTexts(contactTexts);
  const { dates } = useFormats();
  const { data, error, refetch } = useRead<RecordStats>('/api/stats', {
    queryKey: ['contact months', id, recordCount],
    body: { contact: id, ...inTimeZone() } satisfies RecordFilter,
  });
  const chartId = useId();
  const isAnimated = useMotion();
  if (error)
    return (
      <div className="section">
        <LoadProblem failure={error} title={t('months.failed')} onRetry={() => void refetch()} />
      </div>
    );
  const today = dayIn(timeZone());
  const monthName = (day: Day) => dates.month(localDate(day));
  const months = monthsOf(data?.byDay ?? [], today);
  const peak = months.reduce((one, other) => (other.count > one.count ? other : one));
  const total = months.reduce((sum, { count }) => sum + count, 0);
  const title = t('months');
  const datum = ({ from, count }: (typeof months)[number], at: number): ColumnDatum => ({
    key: from,
    name: monthName(from),
    tick: String(Number(from.slice(5, 7))),
    values: [count],
    texts: [t('months.bar', { count: grouped(count) })],
    isOpen: at === months.length - 1,
    ...(from === peak.from && { figure: grouped(count) }),
  });

  return (
    <Chart
      title={title}
      about={t('months.about')}
      texts={chartTexts(t, title)}
      summary={t('months.summary', {
        name: title,
        range: `${monthName(months[0]!.from)} – ${monthName(today)}`,
        peak: monthName(peak.from),
        most: grouped(peak.count),
        count: grouped(total),
      })}
      height={HEIGHT}
      head={[t('col.month'), t('col.count')]}
      rows={months.map(({ from, count }) => ({ key: from, cells: [monthName(from), grouped(count)] }))}
      empty={data && total === 0 ? <p className="quiet">{t('months.none')}</p> : undefined}
      footer={data && <Answers stats={data} id={id} />}
      draw={({ Columns }, width) => (
        <Columns
          id={chartId}
          looks={['accent']}
          data={months.map(datum)}
          lines={scaleFor(peak.count, 2)}
          width={width}
          height={HEIGHT}
          isAnimated={isAnimated}
          format={grouped}
        />
      )}
    />
  );
}

function Answers({ stats, id }: { stats: RecordStats; id: string }) {
  const t = useTexts(contactTexts);
  const { answered, unanswered } = stats;
  return (
    <p className="line gap-s4 mt-s2 type-small ink-2 num">
      <span>{t('answers.answered', { count: grouped(answered) })}</span>
      {unanswered > 0 && (
        <Link to={addressOf('/history', { ...EVERYTHING, contact: id, source: 'none' })}>
          {t('answers.none', { count: grouped(unanswered) })}
        </Link>
      )}
    </p>
  );
}

interface Month {
  /** The first day of the month. */
  from: Day;
  count: number;
}

/** Number of months shown. */
const SHOWN = 12;

/** The last 12 months up to that of `today`, oldest first, with the number of their questions. */
export function monthsOf(byDay: RecordStats['byDay'], today: Day): Month[] {
  const months = Array.from({ length: SHOWN }, (_, at) => ({
    from: startOfMonth(today, at - SHOWN + 1),
    count: 0,
  }));
  const byMonth = new Map(months.map((month) => [month.from.slice(0, 7), month]));
  for (const { day, count } of byDay) {
    const month = byMonth.get(day.slice(0, 7));
    if (month) month.count += count;
  }
  return months;
}
