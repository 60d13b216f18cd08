import type { DayCount } from './tally.ts';

/** The day with the most and the one with the fewest; the earlier one where two are equal. */
export function extremes(days: DayCount[]): [DayCount | undefined, DayCount | undefined] {
  const pick = (isBetter: (a: number, b: number) => boolean) =>
    days.reduce<DayCount | undefined>(
      (best, day) => (best && !isBetter(day.count, best.count) ? best : day),
      undefined,
    );
  return [pick((a, b) => a > b), pick((a, b) => a < b)];
}
