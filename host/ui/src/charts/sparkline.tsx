import styles from './sparkline.module.css';

const [WIDTH, HEIGHT, EDGE] = [72, 24, 3];

interface SparklineProps {
  values: readonly number[];
  /** The value at the top, the same for all sparklines of a column. */
  most: number;
}

/** A trend as a small line chart, as high as a line of text. Hidden from screen readers: show its numbers as text beside it. */
export function Sparkline({ values, most }: SparklineProps) {
  const shown = values.length > 1 ? values : [0, 0];
  const points = shown.map((value, index) => [
    EDGE + (index / (shown.length - 1)) * (WIDTH - 2 * EDGE),
    HEIGHT - EDGE - (value / most) * (HEIGHT - 2 * EDGE),
  ]);
  const [x, y] = points.at(-1)!;
  return (
    <svg className={styles.sparkline} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points.map((point) => point.map((value) => value.toFixed(1)).join(',')).join(' ')} />
      <circle cx={x} cy={y} r="2.5" />
    </svg>
  );
}
