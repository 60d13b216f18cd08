export interface Sample {
  values: readonly number[];
  /** 1 if the passage answers, else 0. */
  outcome: 0 | 1;
  /** Weight of the sample. */
  importance: number;
}

/** Log odds are `start` plus the weighted sum of the values. */
interface Fitted {
  start: number;
  weights: number[];
}

const rounds = 12;

/**
 * Logistic regression by Newton's method, with `penalty` on the squares of the weights of standardised values (L2), none on the start.
 * Pure.
 */
export function fitLogistic(samples: readonly Sample[], penalty: number): Fitted {
  const width = samples[0]?.values.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) => samples.map(({ values }) => values[at]!));
  const means = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / column.length);
  const spreads = columns.map(
    (column, at) =>
      Math.sqrt(column.reduce((sum, value) => sum + (value - means[at]!) ** 2, 0) / column.length) || 1,
  );
  const rows = samples.map(({ values }) => [
    1,
    ...values.map((value, at) => (value - means[at]!) / spreads[at]!),
  ]);
  const found = new Array<number>(width + 1).fill(0);
  for (let round = 0; round < rounds; round += 1) {
    const slope = found.map((weight, at) => (at === 0 ? 0 : -penalty * weight));
    const curve = found.map((_, at) => found.map((_, other) => (at === other && at > 0 ? penalty : 0)));
    for (const [at, row] of rows.entries()) {
      const { outcome, importance } = samples[at]!;
      const chance = 1 / (1 + Math.exp(-row.reduce((sum, value, one) => sum + value * found[one]!, 0)));
      const bend = importance * chance * (1 - chance) + 1e-6;
      for (const [one, value] of row.entries()) {
        slope[one]! += importance * (outcome - chance) * value;
        for (const [other, second] of row.entries()) curve[one]![other]! += bend * value * second;
      }
    }
    for (const [at, step] of solve(curve, slope).entries()) found[at]! += step;
  }
  const weights = spreads.map((spread, at) => found[at + 1]! / spread);
  return { start: found[0]! - weights.reduce((sum, weight, at) => sum + weight * means[at]!, 0), weights };
}

/** Log odds of one sample. */
export function oddsBy({ start, weights }: Fitted, values: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * values[at]!, start);
}

/** Solves a system of linear equations: Gauss-Jordan with pivots. */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  for (let column = 0; column < rows.length; column += 1) {
    let pivot = column;
    for (let at = column + 1; at < rows.length; at += 1)
      if (Math.abs(rows[at]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = at;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const by = rows[column]!;
    for (const [at, row] of rows.entries()) {
      if (at === column) continue;
      const factor = row[column]! / by[column]!;
      for (let one = column; one < row.length; one += 1) row[one]! -= factor * by[one]!;
    }
  }
  return rows.map((row, at) => row[rows.length]! / row[at]!);
}
