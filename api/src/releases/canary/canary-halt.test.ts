import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { MoveInfo, NextPage, PointerInfo } from '../../contract/compositions.ts';
import { failed, loaded, newPage, opsToken, startCanaryServer } from '../../testing/canary-server.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../../testing/test-database.ts';
import { until } from '../../testing/until.ts';
import { createVisitor } from '../../testing/visitor.ts';

const folder = await temporaryFolder('canary-store');
const store = await openTestDatabase(folder);
const desk = await startCanaryServer({ trustProxy: 1, mongodbUri: store.uri });
afterAll(async () => {
  await desk?.end();
  await store?.close();
  await removeTestData(folder);
});
/** No canary is running, 1.0.0 is live and nothing has been counted yet. */
beforeEach(async () => {
  await desk.ops('POST', 'canary/abort', {});
  await desk.ops('POST', 'pointer', { releases: ['mfe-chat@1.0.0'] });
  for (const name of ['health_counts', 'canary_tallies'])
    await desk.connection().collection(name).deleteMany({});
});

/**
 * Reports pages of the canary, `bad` of them failing, each from its own address unless `address` is given.
 */
async function visits(canary: string, { good = 0, bad = 0, address = '' }, first = 1): Promise<void> {
  const events = [...Array(bad).fill(failed('1.1.0', 'boom')), ...Array(good).fill(loaded('1.1.0'))];
  for (const [at, event] of events.entries()) {
    const headers = { 'X-Forwarded-For': address || `192.0.2.${first + at}` };
    const { status } = await desk.report({ page: newPage(), composition: canary, events: [event] }, headers);
    expect(status).toBe(204);
  }
}

const halted = async () => (await desk.pointer()).canary?.halted;

test('a failing canary is halted within seconds with a reason, and everyone gets the live composition', async () => {
  const live = (await desk.pointer()).composition.id;
  const canary = (await desk.canary()).body.canary!.composition.id;
  const visitor = createVisitor(desk.url());
  await visitor.fetch('GET', '/chatbot/index');
  const next = async () => (await visitor.call<NextPage>('GET', '/ops/live')).body.composition;
  expect(await next()).toBe(canary);

  await visits(canary, { good: 10, bad: 8 });
  const { reason } = await until(halted);

  expect(reason).toMatch(/^mfe-chat@1\.1\.0：\d+ 个页面中 \d+ 个失败，线上 0 个中 0 个。$/);
  const inEnglish = { Authorization: `Bearer ${opsToken}`, 'Accept-Language': 'en' };
  const english = (path: string) =>
    visitor.call<PointerInfo & { moves: MoveInfo[] }>('GET', path, undefined, inEnglish);
  const told = /^mfe-chat@1\.1\.0 failed in \d+ of \d+ pages, the live release in 0 of 0\.$/;
  expect((await english('/ops/pointer')).body.canary?.halted?.reason).toMatch(told);
  expect((await english('/ops/history')).body.moves[0]?.reason).toMatch(told);
  expect(await next()).toBe(live);
  const { moves } = (await desk.ops<{ moves: MoveInfo[] }>('GET', 'history')).body;
  expect(moves[0]).toMatchObject({ kind: 'halt', author: 'canary', reason, canary, composition: live });

  const refused = await desk.ops('POST', 'canary/promote', {});
  expect([refused.status, refused.body.error]).toEqual([409, 'conflict']);
  const again = (await desk.ops('PATCH', 'canary', { share: 50 })).body.canary;
  expect(again).toMatchObject({ share: 50, halted: null });
  expect((await desk.ops('POST', 'canary/promote', {})).body.composition.id).toBe(canary);
});

test('a restarted canary is judged only by what is reported after the restart', async () => {
  const canary = (await desk.canary()).body.canary!.composition.id;
  await visits(canary, { bad: 6 });
  await until(halted);
  await desk.ops('PATCH', 'canary', { share: 20 });
  await visits(canary, { bad: 3 }, 50);
  await visits(canary, { good: 5 }, 60);
  await until(
    async () =>
      (await desk
        .connection()
        .collection('canary_tallies')
        .countDocuments({ run: { $gt: new Date(Date.now() - 60_000) } })) > 0,
  );
  await desk.look();
  expect(await halted()).toBeNull();
  await visits(canary, { bad: 8 }, 70);
  await until(halted);
});

test('failures from a single address, or as frequent as in the live composition, do not halt a canary', async () => {
  const { composition, canary } = (await desk.canary()).body;
  const id = canary!.composition.id;
  await visits(id, { good: 12 });
  await visits(id, { bad: 60, address: '203.0.113.9' });
  const rows = await until(async () => {
    const { rows } = await desk.health();
    return rows.some(({ failures }) => failures === 60) ? rows : null;
  });
  expect(rows.find(({ remote, version }) => remote === 'mfe-chat' && version === '1.1.0')).toMatchObject({
    loads: 12,
  });
  await until(async () => {
    const tallies = await desk.connection().collection('canary_tallies').find().toArray();
    return tallies.some(({ parts }) => parts['mfe-chat'].failed === 60);
  });
  await desk.look();
  expect(await halted()).toBeNull();
  expect((await desk.pointer()).composition.id).toBe(composition.id);
});

test('reports received before a process ended are evaluated by the next process', async () => {
  const canary = (await desk.canary()).body.canary!.composition.id;
  await visits(canary, { bad: 6 });
  // The process ends before it evaluates the reports and writes them while shutting down.
  await desk.restart();
  await until(halted);
});

test('with two processes on one store, either can halt the canary and both serve the live composition', async () => {
  const { body } = await desk.canary();
  const canary = body.canary!.composition.id;
  const other = await startTestApi({
    answerer: createScriptedAnswerer(),
    config: { opsToken, mongodbUri: store.uri, trustProxy: 1 },
  });
  try {
    const visitor = createVisitor(desk.url());
    const elsewhere = createVisitor(other.url);
    await visitor.fetch('GET', '/chatbot/index');
    elsewhere.cookies = visitor.cookies;
    const next = async (who: typeof visitor) =>
      (await who.call<NextPage>('GET', '/ops/live')).body.composition;
    expect([await next(visitor), await next(elsewhere)]).toEqual([canary, canary]);

    // Neither process alone has received enough failures.
    await visits(canary, { bad: 4 });
    for (const at of [1, 2, 3, 4])
      await elsewhere.call(
        'POST',
        '/ops/reports',
        { page: newPage(), composition: canary, events: [failed('1.1.0')] },
        { 'X-Forwarded-For': `198.51.100.${at}` },
      );
    await until(halted);

    expect([await next(visitor), await next(elsewhere)]).toEqual([body.composition.id, body.composition.id]);
    const seen = await elsewhere.call<PointerInfo>('GET', '/ops/pointer', undefined, {
      Authorization: `Bearer ${opsToken}`,
    });
    expect(seen.body.canary?.halted).toEqual(await halted());
    const { moves } = (await desk.ops<{ moves: MoveInfo[] }>('GET', 'history')).body;
    const since = moves.filter(({ revision }) => revision > body.revision);
    expect(since.map(({ kind }) => kind)).toEqual(['halt']);
  } finally {
    await other.end();
  }
});
