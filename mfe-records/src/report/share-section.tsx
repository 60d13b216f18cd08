import type { Fill } from 'host/ui/charts/bar-charts.tsx';
import { Chart } from 'host/ui/charts/chart.tsx';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { chartTexts } from './chart-texts.ts';
import styles from './report.module.css';
import type { ReportTexts } from './report-texts.ts';
import { percent } from './shares.ts';

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

interface ShareSectionProps extends ReportTexts {
  title: string;
  about?: string;
  head: string;
  shares: Share[];
}

/** A stacked bar whose parts differ by pattern, with a list of the parts linked to their records. */
export function ShareSection({ title, about, head, shares, t, numbers }: ShareSectionProps) {
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
        .map((share) => t('bySource.part', { name: share.name, count: figures(share).count }))
        .join(t('joint'))}
      height={24}
      head={[head, t('count'), t('share')]}
      rows={shares.map((share) => ({
        key: share.key,
        cells: [link(share), figures(share).count, figures(share).share],
      }))}
      after={
        <ul className={styles.legend}>
          {shares.map((share) => (
            <li key={share.key}>
              {link(share)}
              <span>{figures(share).count}</span>
              <span className={styles.percent}>{figures(share).share}</span>
            </li>
          ))}
        </ul>
      }
      draw={({ Stack }, width) => <Stack id={id} parts={there} width={width} />}
    />
  );
}
