import { PartBoundary } from 'host/ui/part-boundary.tsx';
import { useWidth } from 'host/ui/use-width.ts';
import { type ReactNode, useId, useLayoutEffect, useState } from 'react';
import styles from './report.module.css';
import type { ReportTranslate } from './report-texts.ts';
import { useCharts } from './use-charts.ts';

type Charts = NonNullable<ReturnType<typeof useCharts>['part']>;

interface ChartSectionProps {
  title: string;
  about?: ReactNode;
  t: ReportTranslate;
  /** The chart summarised in a sentence. */
  summary: string;
  /** Height of the chart in pixels. */
  height: number;
  /** Minimum width in pixels; a narrower page scrolls the chart. */
  minWidth?: number;
  /** The data as table rows; `head` contains the column names, of which all but the first are numeric. */
  head: string[];
  rows: { key: string; cells: ReactNode[] }[];
  /** Rendered beside the chart, in the same grid. */
  before?: ReactNode;
  after?: ReactNode;
  className?: string | undefined;
  draw(charts: Charts, width: number): ReactNode;
}

/** A chart, presented to screen readers as one picture with a summary, which can be switched to a table. */
export function ChartSection(props: ChartSectionProps) {
  const {
    title,
    about,
    t,
    summary,
    height,
    minWidth = 0,
    head,
    rows,
    before,
    after,
    className,
    draw,
  } = props;
  const titleId = useId();
  const [isTable, setTable] = useState(false);
  const { part: charts, failure } = useCharts();
  const [frame, width] = useWidth<HTMLDivElement>(640);
  const isScrolled = minWidth > width;
  const isDrawn = charts !== undefined && !isTable;
  const failed = <p className="quiet">{t('chart.failed')}</p>;
  // Scrolls to the end, where the newest data is.
  useLayoutEffect(() => {
    const element = frame.current;
    if (element && isScrolled && isDrawn) element.scrollLeft = element.scrollWidth;
  }, [frame, isScrolled, isDrawn]);

  return (
    <section className="section" aria-labelledby={titleId}>
      <div className="section-head">
        <div className={styles.heading}>
          <h2 id={titleId}>{title}</h2>
          {about && <span className="quiet">{about}</span>}
        </div>
        <button
          className={`end ${styles.toggle}`}
          type="button"
          aria-label={t(isTable ? 'showChart.of' : 'showTable.of', { chart: title })}
          onClick={() => setTable(!isTable)}
        >
          {t(isTable ? 'showChart' : 'showTable')}
        </button>
      </div>
      {isTable && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
        <section className={styles.tableScroll} tabIndex={0} aria-label={t('table.of', { chart: title })}>
          <Table title={title} head={head} rows={rows} />
        </section>
      )}
      <div className={className} hidden={isTable}>
        {before}
        <div
          ref={frame}
          className={styles.frame}
          {...(isScrolled && { tabIndex: 0, role: 'group', 'aria-labelledby': titleId })}
        >
          {failure ? (
            failed
          ) : (
            <PartBoundary fallback={failed}>
              <div role="img" aria-label={summary} className={styles.drawing}>
                {charts ? (
                  <Drawing draw={() => draw(charts, Math.max(width, minWidth))} />
                ) : (
                  <Waiting height={height} />
                )}
              </div>
            </PartBoundary>
          )}
        </div>
        {after}
      </div>
    </section>
  );
}

/** Renders inside the error boundary. */
function Drawing({ draw }: { draw(): ReactNode }) {
  return draw();
}

function Waiting({ height }: { height: number }) {
  return (
    <svg width="1" height={height} aria-hidden="true">
      <rect width="1" height="1" fill="none" />
    </svg>
  );
}

function Table({ title, head, rows }: Pick<ChartSectionProps, 'title' | 'head' | 'rows'>) {
  return (
    <table className="table">
      <caption className="sr">{title}</caption>
      <thead>
        <tr>
          {head.map((name, index) => (
            <th key={name} scope="col" className={index > 0 ? 'right' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) =>
              index === 0 ? (
                <th key={head[0]} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={head[index]} className="right num">
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
