import type { RecordStats } from 'api/contract/search';
import type { Fill } from 'host/ui/charts/bar-charts.tsx';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { addressOf, FEEDBACKS, type Filter, OUTCOMES, SOURCES } from '../history/filters/filter.ts';
import styles from './report.module.css';
import type { ReportTranslate } from './report-texts.ts';
import type { Share } from './share-section.tsx';

const SOURCE_FILLS = {
  document: 'ruled',
  curated: 'full',
  model: 'dotted',
  person: 'hatched',
  none: 'open',
} as const;
export const OUTCOME_FILLS = { answered: 'full', related: 'hatched', nothing: 'open' } as const;
export const RATING_FILLS = { up: 'full', down: 'hatched', none: 'open' } as const;

/** Shares of the answers by source. */
export function sourceShares({ bySource }: RecordStats, filter: Filter, t: ReportTranslate): Share[] {
  return SOURCES.map((source) => ({
    key: source,
    name: t(`source.${source}`),
    label: <SourceMark source={source} label={t(`source.${source}`)} />,
    count: bySource[source],
    fill: SOURCE_FILLS[source],
    to: addressOf('/history', { ...filter, source }),
  }));
}

/** Shares of the answers by outcome. */
export function outcomeShares({ byOutcome }: RecordStats, filter: Filter, t: ReportTranslate): Share[] {
  return OUTCOMES.map((outcome) => ({
    key: outcome,
    name: t(`outcome.${outcome}`),
    label: <OutcomeMark outcome={outcome} label={t(`outcome.${outcome}`)} />,
    count: byOutcome[outcome],
    fill: OUTCOME_FILLS[outcome],
    to: addressOf('/history', { ...filter, outcome }),
  }));
}

/** Shares of the answers by rating. */
export function ratingShares(stats: RecordStats, filter: Filter, t: ReportTranslate): Share[] {
  const { up, down } = stats.satisfaction;
  const counts = { up, down, none: stats.total - up - down };
  return FEEDBACKS.map((feedback) => ({
    key: feedback,
    name: t(`rating.${feedback}`),
    label: <RatingMark fill={RATING_FILLS[feedback]} label={t(`rating.${feedback}`)} />,
    count: counts[feedback],
    fill: RATING_FILLS[feedback],
    to: addressOf('/history', { ...filter, feedback }),
  }));
}

/** The pattern of a rating as in its bar. */
export function RatingMark({ fill, label }: { fill: Fill; label: string }) {
  return (
    <span className="source">
      <svg className="mark-source" viewBox="0 0 14 14" aria-hidden="true">
        <rect
          className={fill === 'full' ? styles.markFull : fill === 'open' ? styles.markOpen : undefined}
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
