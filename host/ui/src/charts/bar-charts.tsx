import {
  Bar,
  BarChart,
  type BarShapeProps,
  CartesianGrid,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import styles from './bar-charts.module.css';

/** One column of a chart. */
export interface ColumnDatum {
  key: string;
  /** Full name, shown in the tooltip. */
  name: string;
  /** Label below the column; '' if there is no space. */
  tick: string;
  /** Values stacked from zero, in the order of `looks`. */
  values: number[];
  /** Values as text, shown in the tooltip. */
  texts: string[];
  /** True if the period is not over; the column is then dashed. */
  isOpen?: boolean;
  /** Text above the column, for example above the highest and the lowest one. */
  figure?: string;
}

/** Appearance of a value: kinds of the same colour differ by pattern. */
export type Look = 'accent' | 'error' | 'error-hatched';

export type Fill = 'full' | 'ruled' | 'dotted' | 'hatched' | 'open';

export interface StackPart {
  key: string;
  count: number;
  fill: Fill;
}

export interface ColumnsProps {
  /** Unique in the page, for the patterns. */
  id: string;
  data: ColumnDatum[];
  looks: readonly Look[];
  /** Values of the horizontal grid lines, from 0. */
  lines: number[];
  width: number;
  height: number;
  isAnimated?: boolean;
  /** Charts with the same id show their tooltips together. */
  syncId?: string;
  format(value: number): string;
}

/** Columns that start at zero, each of one value or of several stacked values. */
export function Columns(props: ColumnsProps) {
  const { id, data, looks, lines, width, height, isAnimated = false, syncId, format } = props;
  const ticks = new Map(data.map(({ key, tick }) => [key, tick]));
  const hasFigures = data.some(({ figure }) => figure);
  return (
    <BarChart
      className={styles.chart ?? ''}
      width={width}
      height={height}
      data={data}
      barCategoryGap="22%"
      // The value above the last column may be wider than the column.
      margin={{ top: hasFigures ? 20 : 6, right: figureRoom(data, width), bottom: 0, left: 0 }}
      accessibilityLayer={false}
      {...(syncId && { syncId })}
    >
      <defs>
        <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className={styles.errorRuling} d="M0 2.5h5" />
        </pattern>
      </defs>
      <CartesianGrid vertical={false} />
      <XAxis
        dataKey="key"
        interval={0}
        tickLine={false}
        axisLine={false}
        height={26}
        tickMargin={6}
        tickFormatter={(key: string) => ticks.get(key) ?? ''}
      />
      <YAxis
        width={format(lines.at(-1) ?? 0).length * 7 + 14}
        tickLine={false}
        axisLine={false}
        ticks={lines}
        domain={[0, lines.at(-1) ?? 1]}
        interval={0}
        tickFormatter={format}
      />
      <Tooltip
        content={ColumnTooltip}
        cursor={{ className: styles.cursor ?? '' }}
        isAnimationActive={false}
      />
      {looks.map((look, index) => (
        <Bar
          key={look}
          dataKey={({ values }: ColumnDatum) => values[index]}
          stackId="all"
          maxBarSize={40}
          shape={(shape: BarShapeProps) => <Column {...shape} look={look} patternId={id} />}
          isAnimationActive={isAnimated}
          animationDuration={200}
          animationEasing="ease-out"
        />
      ))}
    </BarChart>
  );
}

export interface StackProps {
  /** Unique in the page, for the patterns. */
  id: string;
  parts: StackPart[];
  width: number;
}

const STACK = 24;
/** Minimum share of the width at which a part is drawn, so that small parts are visible. */
const LEAST = 0.02;

/** One stacked bar whose parts differ by pattern. */
export function Stack({ id, parts, width }: StackProps) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const drawn = Object.fromEntries(parts.map(({ key, count }) => [key, Math.max(count, total * LEAST)]));
  return (
    <BarChart
      className={styles.chart ?? ''}
      layout="vertical"
      width={width}
      height={STACK}
      data={[drawn]}
      margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
      barCategoryGap={0}
      accessibilityLayer={false}
    >
      <defs>
        <pattern id={`${id}-ruled`} width="6" height="6" patternUnits="userSpaceOnUse">
          <path className={styles.ruling} d="M0 3h6" />
        </pattern>
        <pattern id={`${id}-dotted`} width="7" height="7" x="1" y="1.5" patternUnits="userSpaceOnUse">
          <rect className={styles.dot} x="2" y="2" width="3" height="3" rx="0.5" />
        </pattern>
        <pattern
          id={`${id}-hatched`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <path className={styles.ruling} d="M0 3h6" />
        </pattern>
      </defs>
      <XAxis type="number" hide domain={[0, 'dataMax']} />
      <YAxis type="category" hide width={0} />
      {parts.map(({ key, fill }, index) => (
        <Bar
          key={key}
          dataKey={key}
          stackId="all"
          isAnimationActive={false}
          shape={(shape: BarShapeProps) => (
            <Part {...shape} id={id} fill={fill} isLast={index === parts.length - 1} />
          )}
        />
      ))}
    </BarChart>
  );
}

/** Space to the right of the last column for its value, in px. */
function figureRoom(data: ColumnDatum[], width: number): number {
  const digits = data.at(-1)?.figure?.length ?? 0;
  return Math.max(0, Math.ceil((digits * 8 - width / data.length) / 2) + 2);
}

interface ColumnProps extends Pick<BarShapeProps, 'x' | 'y' | 'width' | 'height' | 'payload'> {
  look: Look;
  patternId: string;
}

function Column({ x, y, width, height, payload, look, patternId }: ColumnProps) {
  const { isOpen, figure } = payload as ColumnDatum;
  const isHatched = look === 'error-hatched';
  return (
    <g>
      {height > 0 && (
        <rect
          className={isOpen ? styles.soft : styles[isHatched ? 'hatched' : look]}
          x={x}
          y={y}
          width={width}
          height={height}
          rx={Math.min(2, height / 2)}
          {...(isHatched && { fill: `url(#${patternId})` })}
        />
      )}
      {isOpen && height > 1.5 && (
        <rect
          className={styles.now}
          x={x + 0.75}
          y={y + 0.75}
          width={Math.max(0, width - 1.5)}
          height={height - 1.5}
          rx="2"
        />
      )}
      {figure && (
        <text className={styles.figure} x={x + width / 2} y={y - 6} textAnchor="middle">
          {figure}
        </text>
      )}
    </g>
  );
}

interface PartProps extends Pick<BarShapeProps, 'x' | 'y' | 'width' | 'height'> {
  id: string;
  fill: Fill;
  isLast: boolean;
}

function Part({ id, fill, isLast, x, y, width, height }: PartProps) {
  const gap = isLast ? 0 : 4;
  const isPattern = fill !== 'full' && fill !== 'open';
  return (
    <rect
      className={`${styles.part} ${fill === 'full' ? styles.whole : fill === 'open' ? styles.open : ''}`}
      x={x + 0.75}
      y={y + 0.75}
      width={Math.max(1, width - gap - 1.5)}
      height={Math.max(1, height - 1.5)}
      rx="2"
      fill={isPattern ? `url(#${id}-${fill})` : undefined}
    />
  );
}

function ColumnTooltip({ active, payload }: TooltipContentProps) {
  const datum = payload[0]?.payload as ColumnDatum | undefined;
  if (!active || !datum) return null;
  return (
    <div className={styles.tooltip}>
      {datum.texts.map((text) => (
        <b key={text}>{text}</b>
      ))}
      <span>{datum.name}</span>
    </div>
  );
}
