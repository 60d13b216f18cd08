import type { PartTally } from '../../models/canary-tally.ts';
import type { Random } from '../../testing/random.ts';
import { addSteps, stepOf } from '../health/histogram.ts';
import { SLOTS } from '../health/slots.ts';
import { type Fault, judgeCanary } from './judge.ts';

/** How pages fare: parts of 1 that fail or report an error, and the median LCP in ms of a wide, skewed spread (null: not measured). */
export interface Fares {
  failing: number;
  erring: number;
  lcp: number | null;
}

export interface SimulatedCanary {
  /** Percent of visitors. */
  share: number;
  pages: number;
  canary: Fares;
  live: Fares;
  /** Addresses that visitors come from. */
  addresses?: number;
}

/** Plays a canary page by page, as its watcher would see it: when it was halted, and for what; null when it was not. */
export function simulateCanary(
  { share, pages, canary, live, addresses = 1000 }: SimulatedCanary,
  random: Random,
): { page: number; fault: Fault } | null {
  const own = slots();
  const other = slots();
  const livePages = (100 - share) / share;
  let due = 0;
  for (let page = 1; page <= pages; page += 1) {
    for (due += livePages; due >= 1; due -= 1) visit(other, live, addresses, random);
    const wasBad = visit(own, canary, addresses, random);
    // Between bad pages only vitals can change to the worse; those are looked at now and then, as they are by the minute.
    if (canary.lcp === null ? !wasBad : page % 50 !== 0) continue;
    const fault = judgeCanary(own, other);
    if (fault) return { page, fault };
  }
  return null;
}

type Slot = { parts: { 'mfe-chat': PartTally } };

function slots(): Slot[] {
  return Array.from({ length: SLOTS }, () => ({
    parts: { 'mfe-chat': { pages: 0, failed: 0, erred: 0, vitals: { LCP: {} } } },
  }));
}

/** One page of a visitor; whether it fared badly. */
function visit(tallies: readonly Slot[], fares: Fares, addresses: number, random: Random): boolean {
  const tally = tallies[random.int(addresses) % tallies.length]!.parts['mfe-chat'];
  const hasFailed = random.chance(fares.failing);
  const hasErred = random.chance(fares.erring);
  tally.pages += 1;
  if (hasFailed) tally.failed += 1;
  if (hasErred) tally.erred += 1;
  if (fares.lcp !== null) addLcp(tally, fares.lcp, random);
  return hasFailed || hasErred;
}

function addLcp({ vitals }: PartTally, median: number, random: Random): void {
  // About log-normal: the slowest twentieth takes some five times the median.
  const spread = random.int(1000) + random.int(1000) + random.int(1000) - 1500;
  addSteps(vitals.LCP ?? {}, { [stepOf('LCP', median * Math.exp(spread / 500))]: 1 });
}
