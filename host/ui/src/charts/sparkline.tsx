import styles from './composition.module.css';

const [WIDTH, HEIGHT, EDGE] = [72, 24, 3];

/** A small trend chart, hidden from screen readers because its numbers are in the row. `most` is the maximum of the column. */
export function Spark({ values, most }: { values: readonly number[]; most: number }) {
  const shown = values.length > 1 ? values : [0, 0];
  const points = shown.map((value, index) => [
    EDGE + (index / (shown.length - 1)) * (WIDTH - 2 * EDGE),
    HEIGHT - EDGE - (value / most) * (HEIGHT - 2 * EDGE),
  ]);
  const [x, y] = points.at(-1)!;
  return (
    <svg className={styles.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points.map((point) => point.map((value) => value.toFixed(1)).join(',')).join(' ')} />
      <circle cx={x} cy={y} r="2.5" />
    </svg>
  );
}
