import { analyseCanary, type Fault } from '../releases/canary/canary-analysis.ts';
import type { PartTally } from '../releases/data/page-counts.ts';
import { added, stepOf } from '../releases/health/histogram.ts';
import { ADDRESS_GROUPS } from '../releases/health/write-counts.ts';
import { createRandom, type Random } from './random.ts';

export const usual: Fares = { failing: 0.005, erring: 0.02, lcp: null };

/**
 * The number of pages after which each of `runs` simulated canaries was halted, smallest first; Infinity if
 * it was not. Deterministic.
 */
export function simulateHalts(
  runs: number,
  simulated: Partial<SimulatedCanary> & Pick<SimulatedCanary, 'canary'>,
): number[] {
  const random = createRandom(20_261_121);
  const all = Array.from({ length: runs }, () => {
    const halt = simulateCanary({ share: 50, pages: 10_000, live: usual, ...simulated }, random);
    return halt?.page ?? Number.POSITIVE_INFINITY;
  });
  return all.sort((a, b) => a - b);
}

/** The halted ones, for healthy canaries. */
export const falsely = (all: readonly number[]) =>
  all.filter((page) => page !== Number.POSITIVE_INFINITY).length;

/**
 * How pages fare: fractions that fail or report an error, and the median LCP in ms of a wide, skewed
 * distribution (null: not measured).
 */
interface Fares {
  failing: number;
  erring: number;
  lcp: number | null;
}

interface SimulatedCanary {
  /** Percentage of visitors. */
  share: number;
  pages: number;
  canary: Fares;
  live: Fares;
}

/** Resolution of a probability. */
const FINE = 2 ** 32;

/**
 * Simulates a canary page by page, with evaluations like the real watcher: when and why it was halted; null
 * if it was not.
 */
function simulateCanary(
  { share, pages, canary, live }: SimulatedCanary,
  random: Random,
): { page: number; fault: Fault } | null {
  const own = slots();
  const other = slots();
  const livePages = (100 - share) / share;
  let due = 0;
  let unseen = false;
  for (let page = 1; page <= pages; page += 1) {
    for (due += livePages; due >= 1; due -= 1) visit(other, live, random);
    const wasBad = visit(own, canary, random);
    unseen ||= wasBad;
    // The first pages are evaluated one by one, since every failure counts; later in batches, like the
    // arrivals between two evaluations.
    if (page > 200 ? page % (page > 2000 ? 100 : 20) !== 0 : !wasBad) continue;
    if (!unseen && canary.lcp === null) continue;
    unseen = false;
    const fault = analyseCanary(own, other);
    if (fault) return { page, fault };
  }
  return null;
}

type Slot = { slot: number; parts: { 'mfe-chat': PartTally } };

function slots(): Slot[] {
  return Array.from({ length: ADDRESS_GROUPS }, (_, slot) => ({
    slot,
    parts: { 'mfe-chat': { served: 0, pages: 0, failed: 0, erred: 0, vitals: { LCP: {} } } },
  }));
}

/** One page from a random address; returns whether it was bad in any way. */
function visit(tallies: readonly Slot[], { failing, erring, lcp }: Fares, random: Random): boolean {
  const tally = tallies[random.int(tallies.length)]!.parts['mfe-chat'];
  const fares = random.int(FINE) / FINE;
  tally.pages += 1;
  if (fares < failing) tally.failed += 1;
  else if (fares < failing + erring) tally.erred += 1;
  if (lcp !== null) addLcp(tally, lcp, random);
  return fares < failing + erring;
}

function addLcp({ vitals }: PartTally, median: number, random: Random): void {
  // Roughly log-normal: the slowest twentieth takes about five times the median.
  const spread = random.int(1000) + random.int(1000) + random.int(1000) - 1500;
  vitals.LCP = added([vitals.LCP ?? {}, { [stepOf('LCP', median * Math.exp(spread / 500))]: 1 }]);
}
