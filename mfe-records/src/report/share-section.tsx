import type { AnsweredBy, Outcome } from 'api/contract/answers';
import type { RecordStats } from 'api/contract/search';
import type { Fill } from 'host/ui/charts/bar-charts.tsx';
import { Chart } from 'host/ui/charts/chart.tsx';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { addressOf, type Filter } from '../history/filters/filter.ts';
import { chartTexts } from '../lib/chart-texts.ts';
import styles from './report.module.css';
import { percent } from './shares.ts';
import { useWords } from './use-words.ts';

/** The pattern of each part, in the order of the bar. A person's reply is an outcome only in the overview of the desk. */
const FILLS = {
  source: { document: 'ruled', curated: 'full', model: 'dotted', person: 'hatched', none: 'open' },
  outcome: { answered: 'full', related: 'hatched', nothing: 'open', person: 'dotted' },
  feedback: { up: 'full', down: 'hatched', none: 'open' },
} as const satisfies Record<string, Record<string, Fill>>;
const TITLES = { source: 'bySource', outcome: 'byOutcome', feedback: 'byRating' } as const;

interface Share {
  key: string;
  name: string;
  /** The name with its icon or pattern. */
  label: ReactNode;
  count: number;
  fill: Fill;
}

interface ShareSectionProps {
  /** What the records are counted by. */
  by: keyof typeof FILLS;
  about?: string;
  /** Number of records by value of `by`. */
  counts: Readonly<Record<string, number>>;
  /** The filter to whose records the parts link; missing if they are not the visitor's own. */
  filter?: Filter;
}

/** A stacked bar whose parts differ by pattern, with a list of the parts linked to their records. */
export function ShareSection({ by, about, counts, filter }: ShareSectionProps) {
  const { t, numbers } = useWords();
  const id = useId();
  const title = t(TITLES[by]);
  const shares = Object.entries<Fill>(FILLS[by]).flatMap(([key, fill]): Share | [] => {
    const count = counts[key];
    if (count === undefined) return [];
    const name = t((key === 'person' ? 'source.person' : `${by}.${key}`) as 'source.person');
    return { key, name, label: markOf(by, key, fill, name), count, fill };
  });
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const there = shares.filter(({ count }) => count > 0);
  const figures = ({ count }: Share) => ({
    count: numbers.format(count),
    share: `${numbers.format(percent(count, total))}%`,
  });
  const link = ({ key, name, label, count }: Share) =>
    count > 0 && filter ? (
      <Link
        to={addressOf('/history', { ...filter, [by]: key })}
        aria-label={t('byContact.open', { name, count: numbers.format(count) })}
      >
        {label}
      </Link>
    ) : (
      label
    );
  return (
    <Chart
      title={title}
      about={about}
      texts={chartTexts(t, title)}
      summary={there
        .map((share) => t('part', { name: share.name, count: figures(share).count }))
        .join(t('joint'))}
      height={24}
      head={[t(by), t('count'), t('share')]}
      rows={shares.map((share) => ({
        key: share.key,
        cells: [link(share), figures(share).count, figures(share).share],
      }))}
      after={
        <ul className={`stack ink-links targets mt-s4 type-small num ${styles.legend}`}>
          {shares.map((share) => (
            <li key={share.key}>
              {link(share)}
              <span>{figures(share).count}</span>
              <span className={`quiet ${styles.percent}`}>{figures(share).share}</span>
            </li>
          ))}
        </ul>
      }
      draw={({ Stack }, width) => <Stack id={id} parts={there} width={width} />}
    />
  );
}

/** How often answers were rated in each way, or not at all. */
export function ratingsOf({ total, satisfaction }: Pick<RecordStats, 'total' | 'satisfaction'>) {
  const { up, down } = satisfaction;
  return { up, down, none: total - up - down };
}

function markOf(by: ShareSectionProps['by'], key: string, fill: Fill, label: string): ReactNode {
  if (by === 'feedback') return <RatingMark fill={fill} label={label} />;
  if (by === 'outcome' && key !== 'person') return <OutcomeMark outcome={key as Outcome} label={label} />;
  return <SourceMark source={key as AnsweredBy} label={label} />;
}

/** The pattern of a rating as in its bar. */
function RatingMark({ fill, label }: { fill: Fill; label: string }) {
  return (
    <span className="source">
      <svg className="mark-source" viewBox="0 0 14 14" aria-hidden="true">
        <rect
          fill={fill === 'full' ? 'currentColor' : undefined}
          strokeDasharray={fill === 'open' ? '2.2 2' : undefined}
          x="1.75"
          y="1.75"
          width="10.5"
          height="10.5"
          rx="2"
        />
        {fill === 'hatched' && <path d="M2.5 9.5l7-7M4.5 11.5l7-7" />}
      </svg>
      {label}
    </span>
  );
}
