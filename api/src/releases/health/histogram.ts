import type { VitalName } from '../../contract/reports.ts';
import type { StepCounts } from '../data/page-counts.ts';

/**
 * Lower bounds of the histogram buckets: fixed, so that counts of any time and process can be added. LCP in
 * steps of 12 % up to 60 s, INP of 20 % up to 20 s, CLS of 0.01 up to 0.4 and then of 20 %. A percentile is
 * off by less than one bucket.
 */
const BOUNDS: Record<VitalName, readonly number[]> = {
  LCP: [0, ...growing(100, 1.12, 60_000)],
  INP: [0, ...growing(8, 1.2, 20_000)],
  CLS: [...Array.from({ length: 40 }, (_, step) => step / 100), ...growing(0.4, 1.2, 10)],
};

function growing(first: number, factor: number, last: number): number[] {
  const steps = Math.floor(Math.log(last / first) / Math.log(factor)) + 1;
  return Array.from({ length: steps }, (_, step) => first * factor ** step);
}

/** The name of the bucket that contains `value`: `b07`. */
export function stepOf(name: VitalName, value: number): string {
  const above = BOUNDS[name].findIndex((bound) => bound > value);
  const step = above === -1 ? BOUNDS[name].length - 1 : Math.max(0, above - 1);
  return stepName(step);
}

export const vitalNames = Object.keys(BOUNDS) as VitalName[];

/** All counts together. */
export function added(all: readonly StepCounts[]): StepCounts {
  const sum: StepCounts = {};
  for (const counts of all)
    for (const [step, count] of Object.entries(counts)) sum[step] = (sum[step] ?? 0) + count;
  return sum;
}

export function countOf(counts: StepCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Number of values in buckets that lie entirely at or above `value`. */
export function countFrom(name: VitalName, counts: StepCounts, value: number): number {
  return BOUNDS[name].reduce(
    (sum, bound, step) => (bound >= value ? sum + (counts[stepName(step)] ?? 0) : sum),
    0,
  );
}

/** The third quartile, interpolated linearly within its bucket; null without values. */
export function p75(name: VitalName, counts: StepCounts): { value: number; count: number } | null {
  const bounds = BOUNDS[name];
  const count = countOf(counts);
  if (count <= 0) return null;
  let below = 0;
  for (const [step, from] of bounds.entries()) {
    const here = counts[stepName(step)] ?? 0;
    if (here > 0 && below + here >= count * 0.75) {
      const to = bounds[step + 1] ?? from;
      return { value: from + (to - from) * Math.max(0, (count * 0.75 - below) / here), count };
    }
    below += here;
  }
  return { value: bounds.at(-1) ?? 0, count };
}

function stepName(step: number): string {
  return `b${String(step).padStart(2, '0')}`;
}
