import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { openTestRollouts, type TestRollouts } from '../../testing/open-test-rollouts.ts';
import type { Move } from '../data/pointer.ts';

let desk: TestRollouts;
let before: string;
const opened = await openTestRollouts();
afterAll(() => opened?.close());
beforeEach(async () => {
  desk = await opened.clear();
  before = (await desk.pointer()).composition;
});
afterEach(() => desk?.stop());

/** Sets mfe-chat 1.1.0 live and watches it. */
async function set(): Promise<string> {
  const request = { releases: ['mfe-chat@1.1.0'], author: 'li', reason: '', watchMinutes: 10 };
  return (await desk.composing.set(request, 'en')).composition.id;
}
const lastMove = () => desk.store.moves.findOne().sort({ _id: -1 }).lean<Move>();

test('a watched composition that fails is rolled back, with the reason in the history', async () => {
  const live = await set();
  await desk.visit(live, 8, ['mfe-chat']);
  expect(await desk.tick()).toMatchObject({ composition: before, watch: null });
  expect(await lastMove()).toMatchObject({
    kind: 'rollback',
    author: 'watch',
    from: live,
    reason: expect.stringContaining('mfe-chat@1.1.0 failed in 8 of 8 pages'),
  });
});

test('a watched composition that works stays live, and is no longer watched afterwards', async () => {
  const live = await set();
  await desk.visit(live, 60);
  await desk.tick();
  desk.wait(601);
  await desk.visit(live, 30, ['mfe-chat']);
  expect((await desk.tick()).composition).toBe(live);
});

test('a watched composition is not rolled back for failures that were as frequent before', async () => {
  await desk.visit(before, 400);
  await desk.visit(before, 200, ['mfe-chat']);
  desk.wait(600);
  const live = await set();
  await desk.visit(live, 40);
  await desk.visit(live, 20, ['mfe-chat']);
  expect((await desk.tick()).composition).toBe(live);
});

test('a single visitor cannot cause a rollback at once, and never if others report', async () => {
  const live = await set();
  await desk.visit(live, 30, ['mfe-chat'], '203.0.113.9');
  expect((await desk.tick()).composition).toBe(live);
  await desk.visit(live, 40);
  desk.wait(60);
  expect((await desk.tick()).composition).toBe(live);
});

test('a watched composition is rolled back during a freeze as well, but not if somebody else replaced it', async () => {
  const live = await set();
  const { revision } = await desk.pointer();
  const other = { releases: ['mfe-auth@1.1.0'], author: 'wang', reason: '', revision };
  const after = await desk.composing.set(other, 'en');
  await desk.visit(live, 8, ['mfe-chat']);
  expect(await desk.tick()).toMatchObject({ composition: after.composition.id, watch: null });

  const freeze = { until: new Date(Date.parse('2026-12-01')), at: new Date(), author: 'anna', reason: 'x' };
  const request = { releases: ['mfe-auth@1.0.0'], author: 'li', reason: '', watchMinutes: 10 };
  const again = await desk.composing.set(request, 'en');
  const from = await desk.pointer();
  await desk.composing.move(from, { freeze }, { kind: 'freeze', author: 'anna', reason: 'x' });
  await desk.visit(again.composition.id, 8, ['mfe-auth']);
  expect((await desk.tick()).composition).toBe(after.composition.id);
});
