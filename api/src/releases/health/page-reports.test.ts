import { expect, jest, test } from '@jest/globals';
import type { CompositionStore } from '../data/composition-store.ts';
import type { CanaryTallyModel, HealthCountModel } from '../data/page-counts.ts';
import { createPageReports } from './page-reports.ts';

/** Page reports whose store is unreachable or has a full disk. */
function reportsWithoutStore() {
  const gone = () => Promise.reject(new Error('the store is away'));
  const store = { pointers: { findById: () => ({ lean: gone }) } } as unknown as CompositionStore;
  const models = {
    counts: { collection: { bulkWrite: gone } } as unknown as HealthCountModel,
    tallies: {} as CanaryTallyModel,
  };
  const warn = jest.fn();
  let at = Date.parse('2026-11-21T12:00:00Z');
  const key = Buffer.alloc(32, 1);
  const reports = createPageReports({
    store,
    models,
    key,
    onTallied: () => undefined,
    log: { warn },
    now: () => new Date(at),
  });
  const report = { page: 'a-page-of-ours', composition: 'c'.repeat(64), events: [] };
  return {
    warn,
    take: () => reports.take(report, 'address 192.0.2.1'),
    /** Advances the clock by minutes. */
    pass: (minutes: number) => {
      at += minutes * 60_000;
    },
  };
}

test('while the store is unavailable, reports are accepted and dropped, and this is logged once a minute', async () => {
  const { warn, take, pass } = reportsWithoutStore();
  await Promise.all([take(), take(), take()]);
  await take();
  expect(warn).toHaveBeenCalledTimes(1);
  pass(2);
  await take();
  expect(warn.mock.calls).toEqual([
    [{ err: new Error('the store is away') }, 'counting page reports failed'],
    [{ err: new Error('the store is away') }, 'counting page reports failed'],
  ]);
});
