import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { openTestRollouts, type TestRollouts } from '../../testing/open-test-rollouts.ts';
import type { Composition } from '../data/composition-store.ts';
import type { Move, PointerCanary } from '../data/pointer.ts';

let desk: TestRollouts;
const opened = await openTestRollouts();
afterAll(() => opened?.close());
beforeEach(async () => {
  desk = await opened.clear();
});
afterEach(() => desk?.stop());

const plan = { steps: [5, 25, 100], everySeconds: 600, minPages: 10 };

async function begin(release = 'mfe-chat@1.1.0', share = 5): Promise<PointerCanary> {
  const note = { author: 'li', reason: 'try' };
  const start = { releases: [release], ...note, share, plan };
  await desk.canaries.begin(start, 'en');
  return (await desk.pointer()).canaries.at(-1)!;
}
const moves = async () => desk.store.moves.find().sort({ _id: 1 }).lean<Move[]>();
const kinds = async () => (await moves()).map(({ kind }) => kind);
const releasesOf = async (id: string) => {
  const { host, remotes } = (await desk.store.compositions.findById(id).lean<Composition>())!;
  return [host, ...remotes].map(({ release }) => release);
};

test('a canary takes its steps once the time has passed and enough pages have loaded it, and goes live', async () => {
  const { composition } = await begin();
  await desk.visit(composition, 9);
  desk.wait(601);
  expect((await desk.tick()).canaries[0]?.share).toBe(5);
  expect(await desk.steps.progress()).toMatchObject([
    { pages: { 'mfe-chat': 9 }, waitsFor: 'pages', nextShare: 25 },
  ]);

  await desk.visit(composition, 1);
  expect((await desk.tick()).canaries[0]?.share).toBe(25);
  // Pages of the first step do not count for the second.
  await desk.visit(composition, 9);
  desk.wait(601);
  await desk.tick();
  await desk.visit(composition, 1);
  desk.wait(-2);
  expect((await desk.tick()).canaries[0]?.share).toBe(25);
  expect((await desk.steps.progress())[0]).toMatchObject({ waitsFor: 'time' });

  desk.wait(2);
  expect(await desk.tick()).toMatchObject({ composition, canaries: [] });
  expect(await kinds()).toEqual(['start', 'canary', 'step', 'promote']);
  expect((await moves()).slice(2)).toMatchObject([
    {
      author: 'canary',
      share: 25,
      reason: expect.stringContaining('5 % → 25 %: at least 10 pages loaded it'),
    },
    { author: 'canary', reason: expect.stringContaining('25 % → 100 %') },
  ]);
});

test('a fault at 25 % halts the canary, which then takes no further step until it is resumed', async () => {
  const { composition } = await begin();
  await desk.visit(composition, 10);
  desk.wait(601);
  await desk.tick();
  await desk.visit(composition, 8, ['mfe-chat']);
  await desk.visit(composition, 20);
  desk.wait(601);

  const [canary] = (await desk.tick()).canaries;
  expect(canary).toMatchObject({
    share: 25,
    halted: { reason: expect.stringMatching(/mfe-chat@1\.1\.0 failed/) },
  });
  desk.wait(6000);
  await desk.tick();
  expect(await kinds()).toEqual(['start', 'canary', 'step', 'halt']);
  expect((await desk.steps.progress())[0]).toMatchObject({ waitsFor: 'restart', nextShare: 100 });

  await desk.canaries.resume({ author: 'li', reason: '' });
  await desk.tick();
  expect((await desk.pointer()).canaries[0]).toMatchObject({ share: 25, halted: null });
  expect((await desk.steps.progress())[0]).toMatchObject({ pages: { 'mfe-chat': 0 }, waitsFor: 'time' });
});

test('a paused canary keeps its share, and its step begins again when it is resumed', async () => {
  const { composition } = await begin();
  await desk.canaries.pause({ author: 'wang', reason: 'lunch', canary: 'mfe-chat' });
  await desk.visit(composition, 30);
  desk.wait(6000);
  expect((await desk.tick()).canaries[0]).toMatchObject({
    share: 5,
    paused: { author: 'wang', reason: 'lunch' },
  });
  await expect(desk.canaries.pause({ author: 'li', reason: '' })).rejects.toThrow(/already paused/);

  await desk.canaries.resume({ author: 'li', reason: '' });
  expect((await desk.tick()).canaries[0]?.share).toBe(5);
  desk.wait(601);
  expect((await desk.tick()).canaries[0]).toMatchObject({ share: 25, paused: null });
});

test('a share that operators set is continued from there', async () => {
  const { composition } = await begin();
  await desk.canaries.share({ author: 'li', reason: '', share: 30 });
  await desk.visit(composition, 10);
  desk.wait(601);
  expect(await desk.tick()).toMatchObject({ composition, canaries: [] });
});

test('of many processes that take the same step exactly one does', async () => {
  const { composition } = await begin();
  await desk.visit(composition, 10);
  desk.wait(601);
  await Promise.all(Array.from({ length: 8 }, () => desk.steps.advance()));
  expect((await desk.pointer()).canaries[0]?.share).toBe(25);
  expect(await kinds()).toEqual(['start', 'canary', 'step']);
});

test('canaries of different remotes run at once, and a visitor may be in both', async () => {
  const chat = await begin();
  const auth = await begin('mfe-auth@1.1.0', 25);
  const { mixes } = await desk.pointer();
  expect(mixes.map((mix) => mix.canaries)).toEqual([[chat.id, auth.id]]);
  const both = mixes[0]!.composition;
  expect(await releasesOf(both)).toEqual(['host@1.0.0', 'mfe-auth@1.1.0', 'mfe-chat@1.1.0']);
  expect(await releasesOf(auth.composition)).toEqual(['host@1.0.0', 'mfe-auth@1.1.0', 'mfe-chat@1.0.0']);
  await expect(begin('mfe-chat@1.1.0')).rejects.toMatchObject({ status: 409 });
  await expect(desk.canaries.abort({ author: 'li', reason: '' })).rejects.toThrow(/Several canaries/);

  // Going live of one keeps the other, which is now based on it.
  await desk.visit(both, 10);
  desk.wait(601);
  expect(await desk.tick()).toMatchObject({
    composition: auth.composition,
    canaries: [{ id: chat.id, composition: both, share: 25 }],
    mixes: [],
  });
  await desk.visit(both, 10);
  desk.wait(601);
  const done = await desk.tick();
  expect(done).toMatchObject({ composition: both, canaries: [] });
});

test('a canary is not blamed for the faults of another one', async () => {
  const chat = await begin();
  const auth = await begin('mfe-auth@1.1.0');
  const { mixes, composition } = await desk.pointer();
  await desk.visit(composition, 20);
  await desk.visit(auth.composition, 5);
  await desk.visit(chat.composition, 3, ['mfe-chat']);
  await desk.visit(mixes[0]!.composition, 12, ['mfe-chat']);
  const { canaries } = await desk.tick();
  expect(canaries.map(({ id, halted }) => [id, halted !== null])).toEqual([
    [chat.id, true],
    [auth.id, false],
  ]);
});

test('if canaries fail only in combination, the newest is halted', async () => {
  const chat = await begin();
  const auth = await begin('mfe-auth@1.1.0');
  const { mixes, composition } = await desk.pointer();
  for (const id of [composition, chat.composition, auth.composition]) await desk.visit(id, 40);
  await desk.visit(mixes[0]!.composition, 12, ['host']);
  const { canaries } = await desk.tick();
  expect(canaries.map(({ id, halted }) => [id, halted !== null])).toEqual([
    [chat.id, false],
    [auth.id, true],
  ]);
});

test('a canary that an earlier version started is continued', async () => {
  const { composition } = await begin();
  const [{ id: _, plan: __, paused: ___, ...stored }] = (await desk.pointer()).canaries as [PointerCanary];
  await desk.store.pointers.collection.updateOne(
    { _id: 'live' as never },
    { $set: { canary: stored }, $unset: { canaries: '', mixes: '' } },
  );
  expect((await desk.pointer()).canaries).toMatchObject([
    { id: composition, composition, plan: null, paused: null },
  ]);
  await desk.canaries.promote({ author: 'li', reason: '' }, 'en');
  expect(await desk.pointer()).toMatchObject({ composition, canaries: [] });
});
