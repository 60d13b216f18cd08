import { randomFrom } from '../searched-records.ts';

export interface Interval {
  value: number;
  /** Bounds of the 95 % interval. */
  low: number;
  high: number;
}

interface RankingFigures {
  questions: number;
  first: Interval;
  five: Interval;
  /** Mean reciprocal rank, 0 beyond the tenth. */
  reciprocal: Interval;
}

/** @param ranks of the first answering passage, from 1; 0 if none is among the ten. */
export function rankingFigures(ranks: readonly number[]): RankingFigures {
  return {
    questions: ranks.length,
    first: meanOf(ranks.map((rank) => (rank === 1 ? 1 : 0))),
    five: meanOf(ranks.map((rank) => (rank >= 1 && rank <= 5 ? 1 : 0))),
    reciprocal: meanOf(ranks.map((rank) => (rank === 0 ? 0 : 1 / rank))),
  };
}

const ROUNDS = 2000;

/** The mean with its 95 % interval (percentile bootstrap, deterministic). */
export function meanOf(values: readonly number[]): Interval {
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const random = randomFrom(7);
  const means = Array.from({ length: ROUNDS }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)]!)),
  ).sort((one, other) => one - other);
  return { value: mean(values), low: means[ROUNDS * 0.025]!, high: means[ROUNDS * 0.975 - 1]! };
}

/** Area under the ROC curve: share of pairs in which `yes` scores above `no`, ties count half. */
export function separation(yes: readonly number[], no: readonly number[]): number {
  let above = 0;
  for (const one of yes) for (const other of no) above += one > other ? 1 : one === other ? 0.5 : 0;
  return above / (yes.length * no.length);
}
