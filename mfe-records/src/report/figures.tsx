import type { RecordStats } from 'api/contract/search';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { addressOf, type Filter } from '../history/filters/filter.ts';
import { formatDuration } from '../lib/format-duration.ts';
import styles from './report.module.css';
import { totalText } from './series.ts';
import { growth, percent } from './shares.ts';
import { useWords } from './use-words.ts';

interface FiguresProps {
  stats: RecordStats;
  before: RecordStats | undefined;
  filter: Filter;
  /** Average number of questions per day. */
  average: number;
}

/** Requests for a person, of all visitors, whatever the filter: open ones, and the time until the first reply. Only editors get them. */
export function HandoverFigures({ handovers }: { handovers: NonNullable<RecordStats['handovers']> }) {
  const { t, numbers } = useWords();
  const { open, medianMinutes } = handovers;
  return (
    <dl className={styles.figures}>
      <Figure name={t('handovers.open')} value={numbers.format(open)}>
        <Link to="/inbox">{t('handovers.link')}</Link>
      </Figure>
      <Figure
        name={t('handovers.median')}
        value={medianMinutes === null ? '–' : numbers.format(medianMinutes)}
        unit={medianMinutes === null ? '' : t('unit.min')}
      >
        {t(medianMinutes === null ? 'handovers.median.none' : 'handovers.median.about')}
      </Figure>
    </dl>
  );
}

/** The five figures at the top of the report, each with its parts or its previous value. */
export function Figures({ stats, before, filter, average }: FiguresProps) {
  const { t, numbers } = useWords();
  const { total, answered, unanswered, satisfaction, medianMs } = stats;
  const seconds = (ms: number) => {
    const { value, unit } = formatDuration(ms, numbers);
    return { value, unit: t(`unit.${unit}`) };
  };
  const median = medianMs === null ? undefined : seconds(medianMs);
  const earlier = before && before.medianMs !== null ? seconds(before.medianMs) : undefined;
  return (
    <dl className={styles.figures}>
      <Figure name={t('total')} value={totalText(stats, numbers)}>
        <Compared total={total} before={before} average={average} />
      </Figure>
      <PercentFigure name={t('answered')} part={answered} whole={total}>
        {before?.total
          ? t('answered.before', {
              count: numbers.format(answered),
              percent: numbers.format(percent(before.answered, before.total)),
            })
          : t('history.all', { count: numbers.format(answered) })}
      </PercentFigure>
      <Figure name={t('unanswered')} value={numbers.format(unanswered)}>
        {unanswered > 0 ? (
          <Link to={addressOf('/history', { ...filter, source: 'none' })}>{t('unanswered.link')}</Link>
        ) : (
          t('unanswered.none')
        )}
      </Figure>
      <SatisfactionFigure {...satisfaction} />
      <Figure name={t('median')} value={median?.value ?? '–'} unit={median?.unit ?? ''}>
        {earlier
          ? t('median.before', { time: `${earlier.value} ${earlier.unit}` })
          : t(median ? 'median.about' : 'median.none')}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  name: string;
  value: string;
  unit?: string;
  /** The parts of the figure or its previous value. */
  children: ReactNode;
}

export function Figure({ name, value, unit, children }: FigureProps) {
  return (
    <div>
      <dt className="type-small">{name}</dt>
      <dd className="num type-figure">
        {value}
        {unit && <small className="type-small ink-2">{unit}</small>}
      </dd>
      <dd className="targets type-meta quiet">{children}</dd>
    </div>
  );
}

interface PercentFigureProps extends Pick<FigureProps, 'name' | 'children'> {
  part: number;
  whole: number;
}

export function PercentFigure({ part, whole, ...figure }: PercentFigureProps) {
  const { numbers } = useWords();
  return (
    <Figure {...figure} value={whole ? numbers.format(percent(part, whole)) : '–'} unit={whole ? '%' : ''} />
  );
}

/** The share of helpful answers among those that were rated. */
export function SatisfactionFigure({ up, down }: RecordStats['satisfaction']) {
  const { t, numbers } = useWords();
  const rated = up + down;
  return (
    <PercentFigure name={t('satisfied')} part={up} whole={rated}>
      {rated ? t('satisfied.about', { count: numbers.format(rated) }) : t('satisfied.none')}
    </PercentFigure>
  );
}

function Compared({ total, before, average }: Pick<FiguresProps, 'before' | 'average'> & { total: number }) {
  const { t, numbers } = useWords();
  if (!before) return t('total.about', { count: numbers.format(Math.round(average * 10) / 10) });
  const change = growth(total, before.total);
  if (change === null) return t(total === 0 ? 'total.same' : 'total.new');
  if (total === before.total) return t('total.same');
  const most = { percent: numbers.format(Math.max(0.1, Math.abs(change))) };
  return t(total > before.total ? 'total.more' : 'total.less', most);
}
