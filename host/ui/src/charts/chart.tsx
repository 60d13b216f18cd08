import { type ReactNode, useId, useLayoutEffect, useState } from 'react';
import { PartBoundary } from '../error-boundary.tsx';
import { createLatePart, type LatePart, useLatePart } from '../late-part.tsx';
import { useWidth } from '../use-width.ts';
import type * as BarCharts from './bar-charts.tsx';
import styles from './chart.module.css';

/** The charts and their library, a chunk that is loaded when the first chart is rendered. Load it earlier while the data is loading. */
export const barCharts: LatePart<typeof BarCharts> = createLatePart(
  () => import(/* webpackChunkName: "charts" */ './bar-charts.tsx'),
);

export interface ChartTexts {
  showTable: string;
  showChart: string;
  /** Accessible names of the button that switches, and of the table. */
  showTableOf: string;
  showChartOf: string;
  tableOf: string;
  /** Shown if the chart cannot be loaded or has thrown an error; the table is still available. */
  failed: string;
}

interface ChartProps {
  title: string;
  /** Level of the heading. Default 2. */
  level?: 2 | 3;
  about?: ReactNode;
  texts: ChartTexts;
  summary: string;
  height: number;
  /** Minimum width in pixels; a narrower page scrolls the chart. Default 0. */
  minWidth?: number;
  /** The drawing fills the available width instead of being `width` wide. */
  isFluid?: boolean;
  /** The data as table rows; `head` contains the column names, of which all but the first are numeric. */
  head: string[];
  rows: { key: string; cells: ReactNode[] }[];
  /** Shown instead of chart and table if there is no data. */
  empty?: ReactNode;
  /** Rendered beside the chart, in the same grid. */
  before?: ReactNode;
  after?: ReactNode;
  footer?: ReactNode;
  className?: string | undefined;
  sectionClassName?: string | undefined;
  draw(charts: typeof BarCharts, width: number): ReactNode;
}

/**
 * A chart with its title, presented to screen readers as one picture with a summary, which can be switched to a table. Space for it is
 * reserved while the charts are loading.
 */
export function Chart(props: ChartProps) {
  const { title, level = 2, about, texts, summary, height, minWidth = 0, isFluid, head, rows } = props;
  const { empty, before, after, footer, className, sectionClassName = 'section', draw } = props;
  const titleId = useId();
  const [isTable, setTable] = useState(false);
  const { part: charts, failure } = useLatePart(barCharts);
  const [frame, width] = useWidth<HTMLDivElement>(640);
  const isScrolled = minWidth > width;
  const isDrawn = charts !== undefined && !isTable;
  const failed = <p className="quiet">{texts.failed}</p>;
  const Heading = level === 2 ? 'h2' : 'h3';
  // Scrolls to the end, where the newest data is.
  useLayoutEffect(() => {
    const element = frame.current;
    if (element && isScrolled && isDrawn) element.scrollLeft = element.scrollWidth;
  }, [frame, isScrolled, isDrawn]);

  return (
    <section className={sectionClassName} aria-labelledby={titleId}>
      <div className="section-head">
        <div className={styles.heading}>
          <Heading id={titleId}>{title}</Heading>
          {about && <span className="quiet">{about}</span>}
        </div>
        {!empty && (
          <button
            className="end link no-print nowrap"
            type="button"
            aria-label={isTable ? texts.showChartOf : texts.showTableOf}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? texts.showChart : texts.showTable}
          </button>
        )}
      </div>
      {isTable && !empty && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
        <section className={`targets ${styles.table}`} tabIndex={0} aria-label={texts.tableOf}>
          <Table title={title} head={head} rows={rows} />
        </section>
      )}
      <div className={className} hidden={isTable && !empty}>
        {before}
        <div
          ref={frame}
          className={styles.frame}
          {...(isScrolled && { tabIndex: 0, role: 'group', 'aria-labelledby': titleId })}
        >
          {empty || (failure && failed) || (
            <PartBoundary fallback={failed}>
              <div
                role="img"
                aria-label={summary}
                className={`${styles.drawing} ${isFluid ? styles.fluid : ''}`}
              >
                {charts ? (
                  <Drawing draw={() => draw(charts, Math.max(width, minWidth))} />
                ) : (
                  <div className={`${styles.loading} late`} style={{ width, height }} />
                )}
              </div>
            </PartBoundary>
          )}
        </div>
        {after}
      </div>
      {footer}
    </section>
  );
}

/** Renders inside the error boundary. */
function Drawing({ draw }: { draw(): ReactNode }) {
  return draw();
}

function Table({ title, head, rows }: Pick<ChartProps, 'title' | 'head' | 'rows'>) {
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
            <th scope="row">{cells[0]}</th>
            {cells.slice(1).map((cell, index) => (
              <td key={head[index + 1]} className="right num">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
