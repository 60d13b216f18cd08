import type { Outcome } from 'api/contract/answers';
import type { RecordStats } from 'api/contract/search';
import type { Fill } from 'host/ui/charts/bar-charts.tsx';
import { Chart } from 'host/ui/charts/chart.tsx';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { addressOf, FEEDBACKS, type Filter, OUTCOMES, SOURCES } from '../history/filters/filter.ts';
import { chartTexts } from '../lib/chart-texts.ts';
import styles from './report.module.css';
import { percent } from './shares.ts';
import { useWords, type Words } from './use-words.ts';

export interface Share {
  key: string;
  name: string;
  /** The name with its icon or pattern. */
  label: ReactNode;
  count: number;
  fill: Fill;
  /** Link to its records; missing if they are not the visitor's own. */
  to?: string;
}

interface ShareSectionProps {
  title: string;
  about?: string;
  head: string;
  shares: Share[];
}

/** A stacked bar whose parts differ by pattern, with a list of the parts linked to their records. */
export function ShareSection({ title, about, head, shares }: ShareSectionProps) {
  const { t, numbers } = useWords();
  const id = useId();
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const there = shares.filter(({ count }) => count > 0);
  const figures = ({ count }: Share) => ({
    count: numbers.format(count),
    share: `${numbers.format(percent(count, total))}%`,
  });
  const link = (share: Share) =>
    share.count > 0 && share.to ? (
      <Link
        to={share.to}
        aria-label={t('byContact.open', {
          name: share.name,
          count: numbers.format(share.count),
        })}
      >
        {share.label}
      </Link>
    ) : (
      share.label
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
      head={[head, t('count'), t('share')]}
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

const SOURCE_FILLS = {
  document: 'ruled',
  curated: 'full',
  model: 'dotted',
  person: 'hatched',
  none: 'open',
} as const;
const OUTCOME_FILLS = { answered: 'full', related: 'hatched', nothing: 'open' } as const;
const RATING_FILLS = { up: 'full', down: 'hatched', none: 'open' } as const;

/** The filter to whose records the shares link; undefined if they have no links. */
type Linked = Filter | undefined;

const linkTo = (filter: Linked, part: Partial<Filter>) =>
  filter && { to: addressOf('/history', { ...filter, ...part }) };

export function sourceShares({ bySource }: RecordStats, filter: Linked, t: Words['t']): Share[] {
  return SOURCES.map((source) => ({
    key: source,
    name: t(`source.${source}`),
    label: <SourceMark source={source} label={t(`source.${source}`)} />,
    count: bySource[source],
    fill: SOURCE_FILLS[source],
    ...linkTo(filter, { source }),
  }));
}

export function outcomeShares(byOutcome: Record<Outcome, number>, filter: Linked, t: Words['t']): Share[] {
  return OUTCOMES.map((outcome) => ({
    key: outcome,
    name: t(`outcome.${outcome}`),
    label: <OutcomeMark outcome={outcome} label={t(`outcome.${outcome}`)} />,
    count: byOutcome[outcome],
    fill: OUTCOME_FILLS[outcome],
    ...linkTo(filter, { outcome }),
  }));
}

export function ratingShares(
  { total, satisfaction: { up, down } }: Pick<RecordStats, 'total' | 'satisfaction'>,
  filter: Linked,
  t: Words['t'],
): Share[] {
  const counts = { up, down, none: total - up - down };
  return FEEDBACKS.map((feedback) => ({
    key: feedback,
    name: t(`feedback.${feedback}`),
    label: <RatingMark fill={RATING_FILLS[feedback]} label={t(`feedback.${feedback}`)} />,
    count: counts[feedback],
    fill: RATING_FILLS[feedback],
    ...linkTo(filter, { feedback }),
  }));
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
