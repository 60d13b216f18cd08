import { expect, test } from '@jest/globals';
import { falsely, simulateHalts, usual } from '../../testing/simulate-canary.ts';
import { stepOf } from '../health/histogram.ts';
import { analyseCanary, limitGroups } from './canary-analysis.ts';

test('of 100 healthy canaries with 10,000 pages none is halted', () => {
  expect(falsely(simulateHalts(100, { canary: usual, share: 80 }))).toBe(0);
});

test('no healthy canary with a high base rate of failures and errors is halted', () => {
  const rough = { failing: 0.03, erring: 0.1, lcp: null };
  expect(falsely(simulateHalts(20, { canary: rough, live: rough }))).toBe(0);
});

test('no healthy canary with widely varying vitals is halted', () => {
  const slow = { failing: 0, erring: 0, lcp: 2600 };
  expect(falsely(simulateHalts(3, { canary: slow, live: slow, pages: 2000 }))).toBe(0);
});

test.each([
  ['fails always', { ...usual, failing: 1 }, 10],
  ['fails in one page of four', { ...usual, failing: 0.25 }, 80],
  ['fails in one page of ten', { ...usual, failing: 0.1 }, 300],
  ['fails in one page of twenty', { ...usual, failing: 0.05 }, 1000],
  ['errs in one page of five', { ...usual, erring: 0.2 }, 300],
])('a canary that %s is halted', (_, canary, within) => {
  expect(simulateHalts(20, { canary, share: 20 }).at(-1)).toBeLessThanOrEqual(within);
});

test('a canary that is twice as slow is halted', () => {
  const live = { failing: 0, erring: 0, lcp: 1800 };
  const all = simulateHalts(3, { canary: { ...live, lcp: 3600 }, live, pages: 2000 });
  expect(all.at(-1)).toBeLessThanOrEqual(1000);
});

/** Tallies of the address group `slot`. */
const group = (slot: number, pages: number, failed: number) => ({
  slot,
  parts: { 'mfe-chat': { pages, failed, erred: 0, vitals: {} } },
});

test('five failures in the first twenty pages are enough, even without statistics of the live composition', () => {
  const spread = [0, 1, 2, 3, 4].map((slot) => group(slot, 4, 1));
  expect(analyseCanary(spread, [])).toEqual({
    part: 'mfe-chat',
    what: 'failed',
    bad: 5,
    pages: 20,
    liveBad: 0,
    livePages: 0,
  });
  expect(analyseCanary([group(0, 20, 5)], [])).not.toBeNull();
  expect(analyseCanary([group(0, 4, 4)], [])).toBeNull();
});

test('failures that are as frequent in the live composition are not blamed on the canary', () => {
  expect(analyseCanary([group(0, 20, 5)], [group(0, 200, 50)])).toBeNull();
});

test('one address cannot halt a canary that works for others, however much it reports', () => {
  const others = Array.from({ length: 8 }, (_, slot) => group(slot, 10, 0));
  expect(analyseCanary([...others, group(8, 10_000, 10_000)], [])).toBeNull();
  expect(analyseCanary([...others, group(8, 1, 0), group(9, 600, 600)], [group(0, 1000, 2)])).toBeNull();
});

test('an address that is the first to see the canary cannot halt it while others see the live composition', () => {
  expect(analyseCanary([group(5, 600, 600)], [group(0, 3, 0)])).toBeNull();
  expect(analyseCanary([group(5, 600, 600)], [group(0, 3, 0), group(5, 40, 0)])).toBeNull();
  // All reports come from one address, so it represents everyone.
  expect(analyseCanary([group(5, 20, 5)], [group(5, 20, 0)])).not.toBeNull();
});

test('good reports from one address cannot hide that the canary fails for others', () => {
  const failing = Array.from({ length: 8 }, (_, slot) => group(slot, 10, 6));
  expect(analyseCanary([...failing, group(8, 100_000, 0)], [])).not.toBeNull();
});

test('no group counts more than the second largest, and a lone group is limited where others exist', () => {
  const flood = { bad: 50, pages: 50 };
  expect(limitGroups([flood])).toEqual({ bad: 2, pages: 2 });
  expect(limitGroups([{ bad: 5, pages: 400 }])).toEqual({ bad: 1, pages: 100 });
  expect(limitGroups([flood, { bad: 0, pages: 9 }])).toEqual({ bad: 2, pages: 11 });
  expect(
    limitGroups([
      { bad: 50, pages: 100 },
      { bad: 4, pages: 40 },
    ]),
  ).toEqual({ bad: 8, pages: 48 });
  expect(
    limitGroups([
      { bad: 0, pages: 5000 },
      { bad: 0, pages: 300 },
    ]),
  ).toEqual({ bad: 0, pages: 600 });
});

test.each(['LCP', 'INP', 'CLS'] as const)(
  'a slow %s counts from 50 pages of the canary and 100 live ones',
  (what) => {
    const [fast, slow] = { LCP: [900, 6000], INP: [50, 900], CLS: [0.01, 0.9] }[what];
    const measured = (value: number, pages: number) =>
      [0, 1].map((slot) => ({
        slot,
        parts: {
          'mfe-chat': {
            pages,
            failed: 0,
            erred: 0,
            vitals: { [what]: { [stepOf(what, value!)]: pages / 2 } },
          },
        },
      }));
    expect(analyseCanary(measured(slow!, 60), measured(fast!, 98))).toBeNull();
    expect(analyseCanary(measured(slow!, 48), measured(fast!, 200))).toBeNull();
    expect(analyseCanary(measured(slow!, 60), measured(fast!, 100))).toMatchObject({
      part: 'mfe-chat',
      what,
      pages: 60,
      livePages: 100,
    });
    expect(analyseCanary(measured(fast!, 60), measured(fast!, 100))).toBeNull();
    expect(analyseCanary(measured(slow!, 60), measured(slow!, 100))).toBeNull();
  },
);
