/** The median of `values`. NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = inOrder(values);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/** The smallest value that is at least as large as a fraction `share` (0–1) of all `values`. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = inOrder(values);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function inOrder(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}
