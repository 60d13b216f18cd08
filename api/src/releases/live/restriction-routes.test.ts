import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { MoveInfo } from '../../contract/compositions.ts';
import { startCanaryServer } from '../../testing/canary-server.ts';
import { until } from '../../testing/until.ts';
import { createVisitor } from '../../testing/visitor.ts';

const desk = await startCanaryServer();
afterEach(async () => {
  await desk.ops('POST', 'unfreeze', {});
  await desk.ops('POST', 'unpin', { remote: 'mfe-chat' });
  await desk.ops('POST', 'canary/abort', {});
  await desk.ops('POST', 'pointer', { releases: ['mfe-chat@1.0.0'] });
});
afterAll(() => desk?.end());

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const set = (version: string) => desk.ops('POST', 'pointer', { releases: [`mfe-chat@${version}`] });
const freeze = (fields: object = {}) =>
  desk.ops('POST', 'freeze', { author: 'anna', until: inAnHour(), reason: 'release week', ...fields });

test('during a freeze nothing goes live, and the refusal names author, reason and end', async () => {
  const { status, body } = await freeze();
  expect([status, body.freeze]).toEqual([
    200,
    expect.objectContaining({ author: 'anna', reason: 'release week' }),
  ]);

  const refused = await set('1.1.0');
  expect([refused.status, refused.body.error, refused.body.field]).toEqual([409, 'conflict', 'freeze']);
  expect(refused.body.msg).toMatch(/由 anna 冻结到 \d{4}-\d\d-\d\d \d\d:\d\d UTC：release week/);
  expect((await desk.canary()).status).toBe(409);
  expect((await desk.pointer()).revision).toBe(body.revision);

  const { moves } = (await desk.ops<{ moves: MoveInfo[] }>('GET', 'history')).body;
  expect(moves[0]).toMatchObject({ kind: 'freeze', author: 'anna', reason: 'release week', changes: [] });
  await desk.ops('POST', 'unfreeze', {});
  expect((await set('1.1.0')).status).toBe(200);
});

test('during a freeze a rollback needs force, and a canary can be ended but not enlarged', async () => {
  await set('1.1.0');
  await desk.canary({ releases: ['mfe-chat@1.2.0'], share: 10 });
  await freeze();
  const canary = (method: string, path: string, body = {}) => desk.ops(method, path, body);
  expect((await canary('PATCH', 'canary', { share: 20 })).status).toBe(409);
  expect((await canary('POST', 'canary/promote')).status).toBe(409);
  expect((await canary('PATCH', 'canary', { share: 5 })).status).toBe(200);
  expect((await canary('POST', 'canary/abort')).status).toBe(200);

  expect((await desk.ops('POST', 'pointer/rollback', {})).status).toBe(409);
  const forced = await desk.ops('POST', 'pointer/rollback', { force: true });
  expect([forced.status, forced.body.freeze?.author]).toEqual([200, 'anna']);
});

test('during a freeze a halted canary cannot be restarted, not even with a smaller share', async () => {
  await desk.canary({ share: 10 });
  const pointers = desk.connection().collection('pointers');
  const { _id, canaries } = (await pointers.findOne())!;
  const halted = { ...canaries[0], halted: { at: new Date(), reason: 'it failed' } };
  await pointers.updateOne({ _id }, { $set: { canaries: [halted] } });
  await freeze();
  expect((await desk.ops('PATCH', 'canary', { share: 5 })).body.field).toBe('freeze');
  expect((await desk.ops('POST', 'canary/resume', {})).body.field).toBe('freeze');
  await desk.ops('POST', 'unfreeze', {});
  expect((await desk.ops('PATCH', 'canary', { share: 5 })).body.canary).toMatchObject({
    share: 5,
    halted: null,
  });
  await desk.ops('POST', 'canary/abort', {});
});

test('a freeze ends by itself', async () => {
  const end = Date.now() + 1500;
  await freeze({ until: new Date(end).toISOString() });
  const { status } = await set('1.1.0');
  // Unless the machine was too busy for that.
  if (Date.now() < end) expect(status).toBe(409);
  await until(async () => (await desk.pointer()).freeze === null);
  expect(Date.now()).toBeGreaterThanOrEqual(end);
  expect((await set('1.1.0')).status).toBe(200);
  expect((await desk.ops('POST', 'unfreeze', {})).status).toBe(404);
});

test('a pinned remote keeps its release, and others can be changed', async () => {
  await desk.ops('POST', 'pin', { remote: 'mfe-chat', author: 'wang', reason: 'legal' });
  const refused = await set('1.1.0');
  expect([refused.status, refused.body.field]).toEqual([409, 'pin']);
  expect(refused.body.msg).toMatch(/^mfe-chat：线上的版本由 wang 锁定：legal/);
  expect((await desk.canary()).status).toBe(409);
  await desk.ops('POST', 'pin', { remote: 'mfe-auth', author: 'wang', reason: 'legal' });
  expect((await set('1.1.0')).status).toBe(409);
  await desk.ops('POST', 'unpin', { remote: 'mfe-chat' });
  expect((await set('1.1.0')).status).toBe(200);
  await desk.ops('POST', 'unpin', { remote: 'mfe-auth' });
});

test('a freeze that a concurrent change has not seen prevents it', async () => {
  const { revision } = await desk.pointer();
  const all = await Promise.all([
    freeze({ revision }),
    desk.ops('POST', 'pointer', { releases: ['mfe-chat@1.1.0'], revision }),
  ]);
  expect(all.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('refuses times in the past or too far away, missing reasons, unknown remotes and other roles', async () => {
  const far = new Date(Date.now() + 400 * 86_400_000).toISOString();
  expect((await freeze({ until: new Date(0).toISOString() })).status).toBe(400);
  expect((await freeze({ until: far })).body.field).toBe('until');
  expect((await freeze({ until: 'tomorrow' })).status).toBe(400);
  expect((await freeze({ reason: ' ' })).status).toBe(400);
  expect((await desk.ops('POST', 'pin', { remote: 'mfe-none', reason: 'x' })).status).toBe(404);
  expect((await desk.ops('POST', 'unpin', { remote: 'mfe-chat' })).status).toBe(404);
  expect((await freeze({ revision: 0 })).body.field).toBe('revision');
  const visitor = createVisitor(desk.url());
  for (const path of ['freeze', 'unfreeze', 'pin', 'unpin'])
    expect((await visitor.call('POST', `/ops/${path}`, {})).status).toBe(401);
});
