import { useId } from 'react';
import type { ColumnDatum } from '../src/charts/bar-charts.tsx';
import { Chart } from '../src/charts/chart.tsx';
import { scaleFor } from '../src/charts/scale.ts';
import { Sparkline } from '../src/charts/sparkline.tsx';
import { createLatePart, Late } from '../src/late-part.tsx';
import { Skeleton } from '../src/skeleton.tsx';
import styles from './catalogue.module.css';
import type zh from './zh.json';

const COUNTS = [12, 30, 18, 42, 25, 7, 16];
const PROBLEMS = [
  [0, 1],
  [2, 0],
  [1, 3],
  [0, 0],
  [4, 2],
];

/** Never loads. */
const pending = createLatePart(() => new Promise<never>(() => undefined));
/** Always fails. */
const broken = createLatePart(() => Promise.reject(new Error('an example of a part that cannot be loaded')));

/** Charts with their states, and the states of a part that is loaded later. */
export function Charts({ texts }: { texts: typeof zh }) {
  const id = useId();
  const titled = (title: string) => ({
    title,
    level: 3 as const,
    texts: {
      ...texts,
      showTableOf: `${texts.showTable}: ${title}`,
      showChartOf: `${texts.showChart}: ${title}`,
      tableOf: `${texts.table}: ${title}`,
    },
  });
  const name = (index: number) => `${texts.day} ${index + 1}`;
  const column = (index: number, values: number[], shown: string[]): ColumnDatum => ({
    key: String(index),
    name: name(index),
    tick: String(index + 1),
    values,
    texts: shown,
  });
  const columns = COUNTS.map((count, index) => ({
    ...column(index, [count], [String(count)]),
    isOpen: index === COUNTS.length - 1,
    ...((count === 42 || count === 7) && { figure: String(count) }),
  }));
  const problems = PROBLEMS.map((values, index) =>
    column(
      index,
      values,
      values.map((value, kind) => `${texts.problems[kind]} ${value}`),
    ),
  );
  return (
    <section aria-label={texts.charts}>
      <h2>{texts.charts}</h2>
      <Chart
        {...titled(texts.columns)}
        summary={`${texts.columns}: ${COUNTS.join(', ')}`}
        height={204}
        head={[texts.day, texts.count]}
        rows={COUNTS.map((count, index) => ({ key: name(index), cells: [name(index), count] }))}
        draw={({ Columns }, width) => (
          <Columns
            id={`${id}-columns`}
            data={columns}
            looks={['accent']}
            lines={scaleFor(42)}
            width={width}
            height={204}
            format={String}
          />
        )}
      />
      <Chart
        {...titled(texts.stacked)}
        summary={`${texts.stacked}: ${PROBLEMS.map((values) => values.join(' + ')).join(', ')}`}
        height={104}
        head={[texts.day, ...texts.problems]}
        rows={PROBLEMS.map((values, index) => ({ key: name(index), cells: [name(index), ...values] }))}
        draw={({ Columns }, width) => (
          <Columns
            id={`${id}-stacked`}
            data={problems}
            looks={['error', 'error-hatched']}
            lines={scaleFor(6, 2)}
            width={width}
            height={104}
            format={String}
          />
        )}
      />
      <Chart
        {...titled(texts.shares)}
        summary={`${texts.shares}: 60, 25, 10, 5`}
        height={24}
        head={[texts.shares, texts.count]}
        rows={[60, 25, 10, 5].map((count) => ({ key: String(count), cells: [count, count] }))}
        draw={({ Stack }, width) => (
          <Stack
            id={`${id}-shares`}
            width={width}
            parts={[
              { key: 'a', count: 60, fill: 'full' },
              { key: 'b', count: 25, fill: 'ruled' },
              { key: 'c', count: 10, fill: 'hatched' },
              { key: 'd', count: 5, fill: 'open' },
            ]}
          />
        )}
      />
      <Chart
        {...titled(texts.noData)}
        summary=""
        height={0}
        head={[]}
        rows={[]}
        empty={<p className="quiet">{texts.noDataYet}</p>}
        draw={() => null}
      />
      <h3>{texts.sparkline}</h3>
      <div className={styles.row}>
        <Sparkline values={COUNTS} most={42} />
        <Sparkline values={[0, 0, 3, 0]} most={42} />
        {COUNTS.join(', ')}
      </div>
      <h3>{texts.states}</h3>
      <div className={styles.row}>
        <Late part={pending} loading={<Skeleton label={texts.loading} lines={['full', 'most', 'half']} />}>
          {() => null}
        </Late>
        <Late part={broken} failed={<p className="quiet">{texts.failed}</p>}>
          {() => null}
        </Late>
      </div>
    </section>
  );
}
