import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { MoveInfo, PointerInfo } from '../../contract/compositions.ts';
import type { ReleaseSummary, YankedRelease } from '../../contract/releases.ts';
import { startCanaryServer } from '../../testing/canary-server.ts';
import { createVisitor } from '../../testing/visitor.ts';

const desk = await startCanaryServer();
afterEach(async () => {
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) await yank(version, 'unyank');
  await desk.ops('POST', 'canary/abort', {});
  await desk.ops('POST', 'pointer', { releases: ['mfe-chat@1.0.0'] });
});
afterAll(() => desk?.end());

const yank = (version: string, action = 'yank') =>
  desk.ops<YankedRelease & { error: string }>('POST', `releases/mfe-chat@${version}/${action}`, {
    author: 'anna',
    reason: 'loses drafts',
  });
const set = (version: string) => desk.ops('POST', 'pointer', { releases: [`mfe-chat@${version}`] });
const page = async () => (await createVisitor(desk.url()).fetch('GET', '/chatbot/index')).text();

test('a yanked release cannot be set, tried out or rolled back to, until it is restored', async () => {
  const { status, body } = await yank('1.1.0');
  expect([status, body]).toEqual([
    200,
    { release: 'mfe-chat@1.1.0', yanked: expect.objectContaining({ author: 'anna' }), uses: [] },
  ]);
  const refused = await set('1.1.0');
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({
    findings: [
      { rule: 'yanked', release: 'mfe-chat@1.1.0', message: 'mfe-chat@1.1.0 已由 anna 撤回：loses drafts' },
    ],
  });
  expect((await desk.canary()).status).toBe(422);
  const { releases } = (await desk.ops<{ releases: ReleaseSummary[] }>('GET', 'releases?name=mfe-chat')).body;
  expect(releases.find(({ version }) => version === '1.1.0')?.yanked).toMatchObject({
    reason: 'loses drafts',
  });

  expect((await yank('1.1.0', 'unyank')).body.yanked).toBeNull();
  expect((await set('1.1.0')).status).toBe(200);
  await yank('1.0.0');
  expect((await desk.pointer()).previous).toBeNull();
  expect((await desk.ops('POST', 'pointer/rollback', {})).status).toBe(404);
});

test('yanking a release again changes nothing, and only a yanked release can be restored', async () => {
  const first = (await yank('1.1.0')).body.yanked;
  const again = await desk.ops<YankedRelease>('POST', 'releases/mfe-chat@1.1.0/yank', {
    author: 'bo',
    reason: 'too late',
  });
  expect(again.body.yanked).toEqual(first);
  expect((await yank('1.1.0', 'unyank')).status).toBe(200);
  expect((await yank('1.1.0', 'unyank')).status).toBe(404);
});

test('after a yank, live compositions with the release stay live and are listed, and other remotes can still be changed', async () => {
  await set('1.1.0');
  const { composition } = await desk.pointer();
  const { body } = await yank('1.1.0');
  expect(body.uses).toEqual([{ environment: 'production', role: 'live', composition: composition.id }]);
  expect((await desk.pointer()).composition.id).toBe(composition.id);
  const { moves } = (await desk.ops<{ moves: MoveInfo[] }>('GET', 'history')).body;
  expect(moves[0]).toMatchObject({
    kind: 'yank',
    author: 'anna',
    reason: 'mfe-chat@1.1.0: loses drafts',
    changes: [],
  });
  expect((await set('1.2.0')).status).toBe(200);
});

test('no page falls back to a yanked release, whether it was rendered before or with a new composition', async () => {
  await set('1.1.0');
  expect(await page()).toContain('/mfe-chat/1.0.0/');
  await yank('1.0.0');
  expect(await page()).not.toContain('/mfe-chat/1.0.0/');
  const { body } = await set('1.2.0');
  expect(body.composition.remotes.find(({ name }) => name === 'mfe-chat')?.previous).toBe('mfe-chat@1.1.0');
  await yank('1.0.0', 'unyank');
});

test('a canary of a release that is yanked is halted, and cannot be promoted', async () => {
  await desk.canary();
  const { body } = await yank('1.1.0');
  expect(body.uses).toMatchObject([{ role: 'canary' }]);
  expect((await desk.ops('POST', 'canary/promote', {})).status).not.toBe(200);
  await desk.look();
  expect((await desk.pointer()).canary?.halted?.reason).toBe('mfe-chat@1.1.0 已撤回。');
});

test('a canary continues if a release that it shares with the live composition is yanked', async () => {
  const { body } = await desk.canary();
  const live = { author: 'anna', reason: 'too old' };
  expect((await desk.ops('POST', 'releases/mfe-auth@1.0.0/yank', live)).status).toBe(200);
  await desk.look();
  expect((await desk.pointer()).canary).toEqual(body.canary);
  await desk.ops('POST', 'releases/mfe-auth@1.0.0/unyank', live);
});

test('if a release is yanked during a change that selects it, the change is refused or the yank lists it as live', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [yanked, changed] = await Promise.all([yank('1.1.0'), set('1.1.0')]);
    const isLive = changed.status === 200 && (changed.body as PointerInfo).composition !== undefined;
    expect(yanked.body.uses.length > 0).toBe(isLive);
    await yank('1.1.0', 'unyank');
    await set('1.0.0');
  }
});

test('only somebody who may publish a release can yank it, and a reason is required', async () => {
  const visitor = createVisitor(desk.url());
  expect((await visitor.call('POST', '/ops/releases/mfe-chat@1.1.0/yank', {})).status).toBe(401);
  expect((await desk.ops('POST', 'releases/mfe-chat@1.1.0/yank', { reason: '' })).status).toBe(400);
  expect((await yank('9.9.9')).status).toBe(404);
  expect((await yank('1.1.0', 'unyank')).status).toBe(404);
});
