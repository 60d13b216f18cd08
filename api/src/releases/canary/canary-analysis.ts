import type { VitalName } from '../../contract/reports.ts';
import { partsOf } from '../data/changes-between.ts';
import type { Composition } from '../data/composition-store.ts';
import type { CanaryTally, PartTally } from '../data/page-counts.ts';
import { reasonOf } from '../data/reasons.ts';
import { added, countFrom, countOf, p75 } from '../health/histogram.ts';

/** Tallies of one composition, one per address group. */
export type Tallies = readonly Pick<CanaryTally, 'slot' | 'parts'>[];

/** In which measure a canary is worse, with the figures of both compositions. */
export type Fault =
  | {
      part: string;
      what: 'failed' | 'erred' | 'silent';
      bad: number;
      pages: number;
      liveBad: number;
      livePages: number;
    }
  | { part: string; what: VitalName; p75: number; pages: number; liveP75: number; livePages: number };

/**
 * Significance level: maximum probability of a difference under the null hypothesis for it to count against
 * the canary. It is far stricter than for a single test because the test is repeated continuously, for each
 * release and for several measures.
 */
const SIGNIFICANCE = 1e-5;

type RateName = 'failed' | 'erred' | 'silent';

interface RateRule {
  /** Minimum number of bad pages for a verdict. */
  least: number;
  /** Pages that the live composition has at least; missing ones count as bad at this rate. */
  assumed: { pages: number; rate: number };
  /** Minimum number of live pages for a verdict. */
  minLive: number;
  /** Minimum absolute and relative difference that is worth halting for. */
  worseBy: { rate: number; times: number };
}

const RATES: Record<RateName, RateRule> = {
  failed: { least: 5, minLive: 0, assumed: { pages: 500, rate: 0.01 }, worseBy: { rate: 0.01, times: 1.5 } },
  // Errors are common, and their base rate differs between installations: without live pages there is no
  // basis for a verdict.
  erred: { least: 10, minLive: 50, assumed: { pages: 50, rate: 0.05 }, worseBy: { rate: 0.03, times: 1.5 } },
  // Pages that never report because the host does not start. There is always a base rate: tabs are closed
  // early and programs fetch pages.
  silent: { least: 5, minLive: 0, assumed: { pages: 100, rate: 0.15 }, worseBy: { rate: 0.25, times: 1.5 } },
};

/** Above web.dev's limit for "good", and above the live value by a quarter plus this amount. */
const VITALS: Record<VitalName, { good: number; more: number }> = {
  LCP: { good: 2500, more: 400 },
  INP: { good: 200, more: 100 },
  CLS: { good: 0.1, more: 0.05 },
};
const MIN_MEASURED = { canary: 50, live: 100 };

/** Pages before the canary, from which the usual share of silent pages is estimated. */
const MIN_USUAL = 20;

/**
 * One address group counts at most as many pages as the second largest group, or this many: a few failures
 * from one group are no flood.
 */
const MIN_BOUND = { pages: 100, bad: 2 };

/**
 * Returns the first measure in which the canary is worse than the live composition beyond chance; null if
 * there is none. `usual` counts the live pages that were served before the canary started, and how many of
 * them never reported.
 */
export function analyseCanary(
  canary: Tallies,
  live: Tallies,
  usual: Rate = { bad: 0, pages: 0 },
): Fault | null {
  const parts = new Set(canary.flatMap((tally) => Object.keys(tally.parts)));
  // If all visitors share one address, that address represents everyone; a sender that is merely the first to
  // report on the canary does not.
  const together = new Set([...canary, ...live].map(({ slot }) => slot)).size > 1 ? limitGroups : sumOf;
  const hostsOf = (tallies: Tallies) => tallies.map((tally) => tally.parts.host ?? {});
  const silent = analyseRate('host', 'silent', hostsOf(canary), hostsOf(live), together, usual);
  if (silent) return silent;
  for (const part of parts) {
    const own = canary.map((tally) => tally.parts[part] ?? {});
    const other = live.map((tally) => tally.parts[part] ?? {});
    const fault =
      analyseRate(part, 'failed', own, other, together) ??
      analyseRate(part, 'erred', own, other, together) ??
      analyseVital(part, 'LCP', own, other, together) ??
      analyseVital(part, 'INP', own, other, together) ??
      analyseVital(part, 'CLS', own, other, together);
    if (fault) return fault;
  }
  return null;
}

type Groups = readonly Partial<PartTally>[];
/** `limitGroups`, or `sumOf` if there is only one group in total. */
type Together = (groups: readonly Rate[]) => Rate;

function analyseRate(
  part: string,
  what: RateName,
  own: Groups,
  other: Groups,
  together: Together,
  usual: Rate = { bad: 0, pages: 0 },
): Fault | null {
  const { least, minLive, assumed, worseBy } = RATES[what];
  const reported = own.map((group) => ratesOf(group, what));
  const all = sumOf(reported);
  if (all.bad < least) return null;
  const evenly = together(reported.map(withoutSurplus));
  const { pages } = evenly;
  // A page may report from a different address than it was served to.
  const bad = Math.min(evenly.bad, all.bad);
  if (bad < least) return null;
  const live = other.map((group) => ratesOf(group, what));
  const { bad: liveBad, pages: livePages } = together(live.map(withoutSurplus));
  if (livePages < minLive) return null;
  const missing = Math.max(0, assumed.pages - livePages);
  const rate = usual.pages >= MIN_USUAL ? Math.max(0, usual.bad) / usual.pages : assumed.rate;
  // Add half a page each (continuity correction): zero observed failures do not prove a zero rate.
  const a = liveBad + missing * rate + 0.5;
  const b = livePages - liveBad + missing * (1 - rate) + 0.5;
  const expected = a / (a + b);
  if (bad / pages < Math.max(expected + worseBy.rate, expected * worseBy.times)) return null;
  if (betaBinomialTail(bad, pages, a, b) > SIGNIFICANCE) return null;
  const told = withoutSurplus(sumOf(live));
  return { part, what, ...all, liveBad: told.bad, livePages: told.pages };
}

function analyseVital(
  part: string,
  what: VitalName,
  own: Groups,
  other: Groups,
  together: Together,
): Fault | null {
  const stepsOf = (group: Partial<PartTally>) => group.vitals?.[what] ?? {};
  const liveValue = p75(what, added(other.map(stepsOf)));
  const value = p75(what, added(own.map(stepsOf)));
  if (!value || !liveValue) return null;
  if (value.count < MIN_MEASURED.canary || liveValue.count < MIN_MEASURED.live) return null;
  const { good, more } = VITALS[what];
  const bound = Math.max(good, liveValue.value * 1.25 + more);
  const { bad, pages } = together(
    own.map((group) => ({ bad: countFrom(what, stepsOf(group), bound), pages: countOf(stepsOf(group)) })),
  );
  // If the canary were no slower, at most a quarter of its pages would exceed the third quartile of the live
  // pages.
  if (pages < MIN_MEASURED.canary || binomialTail(bad, pages, 0.25) > SIGNIFICANCE) return null;
  return {
    part,
    what,
    p75: value.value,
    pages: value.count,
    liveP75: liveValue.value,
    livePages: liveValue.count,
  };
}

export interface Rate {
  bad: number;
  pages: number;
}

/**
 * Reports may reach several processes, so a page may have failed without a known load. More pages may have
 * reported than were served: tabs opened earlier.
 */
function ratesOf({ served = 0, pages = 0, failed = 0, erred = 0 }: Partial<PartTally>, what: RateName): Rate {
  const reported = Math.max(pages, failed, erred);
  if (what === 'silent') return { bad: served - reported, pages: served };
  return { bad: what === 'failed' ? failed : erred, pages: reported };
}

function withoutSurplus({ bad, pages }: Rate): Rate {
  return { bad: Math.max(0, bad), pages };
}

/**
 * Sums all groups so that no single one decides: the group with the most pages counts at most as many as the
 * second (or 100), and the group with the most bad pages at most as many bad ones as the second (or two).
 */
export function limitGroups(groups: readonly Rate[]): Rate {
  return sumOf(limit(limit(groups, 'pages'), 'bad'));
}

function sumOf(groups: readonly Rate[]): Rate {
  let bad = 0;
  let pages = 0;
  for (const group of groups) {
    bad += group.bad;
    pages += group.pages;
  }
  return { bad: Math.round(bad), pages: Math.round(pages) };
}

/** Scales down the group that has more of `what` than the second largest (at most one group). */
function limit(groups: readonly Rate[], what: keyof Rate): readonly Rate[] {
  const [first, second] = groups.toSorted((one, other) => other[what] - one[what]);
  const bound = Math.max(second?.[what] ?? 0, MIN_BOUND[what]);
  if (!first || first[what] <= bound) return groups;
  const scale = bound / first[what];
  return groups.map((group) =>
    group === first ? { bad: group.bad * scale, pages: group.pages * scale } : group,
  );
}

/** The stored reason why a canary was halted. `composition` is the one in which the fault occurred. */
export function faultMessages(fault: Fault, composition: Composition | null): string {
  const chosen = partsOf(composition).find(({ name }) => name === fault.part);
  const release = chosen?.release ?? `${fault.part}@?`;
  const shared = { release, pages: figure(fault.pages), livePages: figure(fault.livePages) };
  if ('bad' in fault)
    return reasonOf(fault.what, { ...shared, bad: figure(fault.bad), liveBad: figure(fault.liveBad) });
  const { what, p75, liveP75 } = fault;
  return reasonOf('slower', { ...shared, what, own: shown(what, p75), other: shown(what, liveP75) });
}

function figure(value: number): string {
  return value.toLocaleString('en');
}

function shown(what: 'LCP' | 'INP' | 'CLS', value: number): string {
  return what === 'CLS' ? value.toFixed(2) : `${figure(Math.round(value))} ms`;
}

/** Summation ends when a term is smaller than this fraction of the sum. */
const PRECISION = 1e-12;

/**
 * Probability that at least `k` of `n` pages fail, if `a` of `a + b` earlier pages failed (beta-binomial,
 * upper tail). 1 if `k` does not exceed the expected value.
 */
export function betaBinomialTail(k: number, n: number, a: number, b: number): number {
  if (k <= (n * a) / (a + b)) return 1;
  const first = Math.exp(logChoose(n, k) + logBeta(k + a, n - k + b) - logBeta(a, b));
  return sumFrom(k, n, first, (i) => (((n - i) / (i + 1)) * (i + a)) / (n - i - 1 + b));
}

/** Probability of at least `k` successes in `n` trials of `p`. 1 if `k` is not above the expected value. */
export function binomialTail(k: number, n: number, p: number): number {
  if (k <= n * p) return 1;
  const first = Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
  return sumFrom(k, n, first, (i) => (((n - i) / (i + 1)) * p) / (1 - p));
}

/** `first` and all following terms, each the previous times `ratio`: they only decrease there. */
function sumFrom(k: number, n: number, first: number, ratio: (i: number) => number): number {
  let sum = 0;
  let term = first;
  for (let i = k; i <= n; i += 1) {
    sum += term;
    if (term < sum * PRECISION) break;
    term *= ratio(i);
  }
  return Math.min(1, sum);
}

function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** Stirling's series after shifting the argument above 8: accurate to 1e-12 (Abramowitz & Stegun 6.1.41). */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  for (; z < 8; z += 1) shift += Math.log(z);
  const inverse = 1 / (z * z);
  const series = 1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)));
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series / z - shift;
}
