import type { VitalName } from '../../contract/contract.ts';
import type { CanaryTally, PartTally } from '../canary-tally.ts';
import { addSteps, countFrom, countOf, p75 } from '../health/histogram.ts';
import type { StepCounts } from '../health-count.ts';
import { betaBinomialTail, binomialTail } from './tail.ts';

/** The tallies of one composition, one for each group of addresses. */
export type Tallies = readonly Pick<CanaryTally, 'slot' | 'parts'>[];

/** What a canary is worse in, with the figures of it and of what is live as they were reported. */
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
 * How rare a difference must be, if there were none, before it is held against the canary. It is looked at again and again, and at each
 * part by several measures: so it has to be far rarer than a single look would need.
 */
const RARE = 1e-5;

type RateName = 'failed' | 'erred' | 'silent';

interface RateRule {
  /** Bad pages without which nothing is said. */
  least: number;
  /** What is live is taken to have had so many pages at least; those that it has not had yet are assumed to be bad at this rate. */
  assumed: { pages: number; rate: number };
  /** Live pages without which nothing is said. */
  leastLive: number;
  /** Only what is worse by so much, and by so many times, is worth stopping for. */
  worseBy: { rate: number; times: number };
}

const RATES: Record<RateName, RateRule> = {
  failed: {
    least: 5,
    leastLive: 0,
    assumed: { pages: 500, rate: 0.01 },
    worseBy: { rate: 0.01, times: 1.5 },
  },
  // Errors are common, and how common is each desk's own: without live pages nothing is known.
  erred: {
    least: 10,
    leastLive: 50,
    assumed: { pages: 50, rate: 0.05 },
    worseBy: { rate: 0.03, times: 1.5 },
  },
  // Pages that never report: the host does not start. Some never do anyway, as tabs are closed and programs ask for pages.
  silent: {
    least: 5,
    leastLive: 0,
    assumed: { pages: 100, rate: 0.15 },
    worseBy: { rate: 0.25, times: 1.5 },
  },
};

/** Clearly worse: past what web.dev calls good, and past that of what is live by a quarter and so much more. */
const VITALS: Record<VitalName, { good: number; more: number }> = {
  LCP: { good: 2500, more: 400 },
  INP: { good: 200, more: 100 },
  CLS: { good: 0.1, more: 0.05 },
};
const LEAST_MEASURED = { canary: 50, live: 100 };

/** Pages of before the canary that tell how many are usually silent. */
const LEAST_USUAL = 20;

/** One group of addresses counts at most as many pages as the second in line, or so many: a few failures of one are no flood. */
const LEAST_BOUND = { pages: 100, bad: 2 };

/**
 * The first thing in which the canary is worse than what is live, beyond what chance explains; null when there is none. `usual` are the
 * pages of what is live that were sent before the canary began, and those of them that never reported.
 */
export function judgeCanary(
  canary: Tallies,
  live: Tallies,
  usual: Rate = { bad: 0, pages: 0 },
): Fault | null {
  const parts = new Set(canary.flatMap((tally) => Object.keys(tally.parts)));
  // Where every visitor comes from one address it speaks for all; a sender that is only the first to speak of the canary does not.
  const together = new Set([...canary, ...live].map(({ slot }) => slot)).size > 1 ? evened : sumOf;
  const partsOf = (tallies: Tallies) => tallies.map((tally) => tally.parts.host ?? {});
  const silent = judgeRate('host', 'silent', partsOf(canary), partsOf(live), together, usual);
  if (silent) return silent;
  for (const part of parts) {
    const own = canary.map((tally) => tally.parts[part] ?? {});
    const other = live.map((tally) => tally.parts[part] ?? {});
    const fault =
      judgeRate(part, 'failed', own, other, together) ??
      judgeRate(part, 'erred', own, other, together) ??
      judgeVital(part, 'LCP', own, other, together) ??
      judgeVital(part, 'INP', own, other, together) ??
      judgeVital(part, 'CLS', own, other, together);
    if (fault) return fault;
  }
  return null;
}

type Groups = readonly Partial<PartTally>[];
/** `evened`, or `sumOf` where there is nobody to be even with. */
type Together = (groups: readonly Rate[]) => Rate;

function judgeRate(
  part: string,
  what: RateName,
  own: Groups,
  other: Groups,
  together: Together,
  usual: Rate = { bad: 0, pages: 0 },
): Fault | null {
  const { least, leastLive, assumed, worseBy } = RATES[what];
  const reported = own.map((group) => ratesOf(group, what));
  const all = sumOf(reported);
  if (all.bad < least) return null;
  const evenly = together(reported.map(withoutSurplus));
  const { pages } = evenly;
  // A page may report from another address than it was sent to.
  const bad = Math.min(evenly.bad, all.bad);
  if (bad < least) return null;
  const live = other.map((group) => ratesOf(group, what));
  const { bad: liveBad, pages: livePages } = together(live.map(withoutSurplus));
  if (livePages < leastLive) return null;
  const missing = Math.max(0, assumed.pages - livePages);
  const rate = usual.pages >= LEAST_USUAL ? Math.max(0, usual.bad) / usual.pages : assumed.rate;
  // A half each: having seen none is not knowing that there are none.
  const a = liveBad + missing * rate + 0.5;
  const b = livePages - liveBad + missing * (1 - rate) + 0.5;
  const expected = a / (a + b);
  if (bad / pages < Math.max(expected + worseBy.rate, expected * worseBy.times)) return null;
  if (betaBinomialTail(bad, pages, a, b) > RARE) return null;
  const told = withoutSurplus(sumOf(live));
  return { part, what, ...all, liveBad: told.bad, livePages: told.pages };
}

function judgeVital(
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
  if (value.count < LEAST_MEASURED.canary || liveValue.count < LEAST_MEASURED.live) return null;
  const { good, more } = VITALS[what];
  const bound = Math.max(good, liveValue.value * 1.25 + more);
  const { bad, pages } = together(
    own.map((group) => ({
      bad: countFrom(what, stepsOf(group), bound),
      pages: countOf(stepsOf(group)),
    })),
  );
  // If it were no slower, at most a quarter would lie beyond what three quarters of the live pages keep to.
  if (pages < LEAST_MEASURED.canary || binomialTail(bad, pages, 0.25) > RARE) return null;
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
 * Reports may come to several processes, so that a page may have failed of which no load is known. More pages may have reported than
 * were sent: tabs that were open before.
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
 * All groups together, where no one of them may decide: that with the most pages counts as many as the second (or 100), that with the
 * most bad ones as many bad ones as the second (or two).
 */
export function evened(groups: readonly Rate[]): Rate {
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

/** Scales down whatever has more of `what` than the second in line: that is one at most. */
function limit(groups: readonly Rate[], what: keyof Rate): readonly Rate[] {
  let first: Rate | null = null;
  let most = 0;
  let second = LEAST_BOUND[what];
  for (const group of groups) {
    const here = group[what];
    if (here <= most) {
      if (here > second) second = here;
      continue;
    }
    if (most > second) second = most;
    most = here;
    first = group;
  }
  if (most <= second) return groups;
  const scale = second / most;
  return groups.map((group) =>
    group === first ? { bad: group.bad * scale, pages: group.pages * scale } : group,
  );
}

function added(all: readonly StepCounts[]): StepCounts {
  const sum: StepCounts = {};
  for (const counts of all) addSteps(sum, counts);
  return sum;
}
