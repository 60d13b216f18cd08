import type { RecordStats } from 'api/contract/search';
import { timeZone } from '../filters/filter.ts';
import { formatDuration } from '../format-duration.ts';
import styles from './preview.module.css';
import type { ReportTexts } from './report-texts.ts';
import type { Series } from './series.ts';
import { percent } from './shares.ts';

const SOURCES = ['curated', 'document', 'model', 'person', 'none'] as const;

export interface PreviewPageProps extends ReportTexts {
  stats: RecordStats;
  series: Series;
  title: string;
  /** The filters by name. */
  conditions: [name: string, value: string][];
  mask: boolean;
  /** When the figures were computed. */
  at: Date;
  locale: string;
}

/** The title page of the PDF, on white paper in both themes. One picture for screen readers. */
export function PreviewPage({
  stats,
  series,
  title,
  conditions,
  mask,
  at,
  locale,
  t,
  numbers,
}: PreviewPageProps) {
  const made = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
  const rows: [string, string][] = [
    ...conditions,
    [t('preview.zone'), timeZone() ?? 'UTC'],
    ...(mask ? [[t('preview.privacy'), t('preview.masked')] as [string, string]] : []),
    [t('preview.madeAt'), made.format(at)],
  ];
  return (
    <div className={styles.page} role="img" aria-label={t('preview.page', { title })}>
      <div className={styles.inside} aria-hidden="true">
        <p className={styles.brand}>{t('preview.brand')}</p>
        <p className={styles.title}>{title}</p>
        <div className={styles.rows}>
          {rows.map(([name, value]) => (
            <p key={name + value}>
              <span>{name}</span>
              <span className="clip">{value}</span>
            </p>
          ))}
        </div>
        <PageFigures stats={stats} t={t} numbers={numbers} />
        <PageSources stats={stats} t={t} numbers={numbers} />
        <PageChart series={series} name={t(`by.${series.unit}`)} />
      </div>
    </div>
  );
}

function PageFigures({ stats, t, numbers }: Pick<PreviewPageProps, 'stats' | 't' | 'numbers'>) {
  const { total, answered, unanswered, bySource, byDay, satisfaction, medianMs } = stats;
  const rated = satisfaction.up + satisfaction.down;
  const time = medianMs === null ? undefined : formatDuration(medianMs, numbers);
  const figures: [string, string][] = [
    [t('preview.records'), numbers.format(total)],
    [t('answered'), numbers.format(answered)],
    [t('unanswered'), numbers.format(unanswered)],
    [t('preview.byPerson'), numbers.format(bySource.person)],
    [t('preview.days'), numbers.format(byDay.length)],
    [t('median'), time ? `${time.value} ${t(`unit.${time.unit}`)}` : '–'],
    [t('byRating'), rated ? `${numbers.format(percent(satisfaction.up, rated))}%` : '–'],
    [t('rating.up'), numbers.format(satisfaction.up)],
    [t('rating.down'), numbers.format(satisfaction.down)],
  ];
  return (
    <div className={styles.figures}>
      {figures.map(([name, value]) => (
        <span key={name}>
          <b>{value}</b>
          {name}
        </span>
      ))}
    </div>
  );
}

function PageSources({ stats, t, numbers }: Pick<PreviewPageProps, 'stats' | 't' | 'numbers'>) {
  const most = Math.max(1, ...Object.values(stats.bySource));
  return (
    <div className={styles.sources}>
      {t('bySource')}
      {SOURCES.map((source) => {
        const count = stats.bySource[source];
        return (
          <p key={source}>
            <span>{t(`source.${source}`)}</span>
            <i
              className={source === 'none' ? styles.grey : undefined}
              style={{ width: `${(60 * count) / most}%` }}
            />
            <span>
              {numbers.format(count)} {numbers.format(percent(count, stats.total))}%
            </span>
          </p>
        );
      })}
    </div>
  );
}

const WIDTH = 252;
const HEIGHT = 44;

function PageChart({ series: { buckets }, name }: { series: Series; name: string }) {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  const step = WIDTH / Math.max(1, buckets.length);
  const bar = Math.min(step * 0.66, 14);
  return (
    <div className={styles.chart}>
      {name}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`} aria-hidden="true">
        {buckets.map(({ from, count }, index) => (
          <rect
            key={from}
            x={step * (index + 0.5) - bar / 2}
            y={HEIGHT - (HEIGHT - 2) * (count / most)}
            width={bar}
            height={(HEIGHT - 2) * (count / most)}
          />
        ))}
        <path d={`M0 ${HEIGHT + 0.5}h${WIDTH}`} />
      </svg>
    </div>
  );
}
