import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createUserModel } from '../../accounts/account-models.ts';
import type { MoveInfo, PendingChange, PointerInfo } from '../../contract/compositions.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { OpsSession } from '../../contract/releases.ts';
import type { CreatedToken } from '../../contract/tokens.ts';
import { opsToken, startCanaryServer } from '../../testing/canary-server.ts';
import { createVisitor, signedUp } from '../../testing/visitor.ts';
import { createTokenModel } from '../tokens/tokens.ts';
import { createPendingChangeModel } from './changes.ts';

let li: CreatedToken;
let wang: CreatedToken;

type Body = PointerInfo & PendingChange & ErrorBody & { change: PendingChange };
const call = <T = Body>(method: string, path: string, token: string, body?: object) =>
  createVisitor(desk.url()).call<T>(method, `/ops/${path}`, body, { Authorization: `Bearer ${token}` });
const createToken = async (name: string, scopes = ['compose:production']) =>
  (await call<CreatedToken>('POST', 'tokens', opsToken, { name, scopes })).body;
const note = { author: 'zhang', reason: 'faster' };
const set = (version: string, token = li.token) =>
  call('POST', 'pointer', token, { ...note, releases: [`mfe-chat@${version}`] });
const approve = (id: string, token = wang.token) => call('POST', `changes/${id}/approve`, token);
const reject = (id: string, token = wang.token) => call('POST', `changes/${id}/reject`, token);
const changes = async () =>
  (await call<{ changes: PendingChange[] }>('GET', 'changes', li.token)).body.changes;
const liveChat = async () =>
  (await desk.pointer()).composition.remotes.find(({ name }) => name === 'mfe-chat')?.version;
/** Makes a version live with two tokens. */
const setApproved = async (version: string) => approve((await set(version)).body.change.id);

const desk = await startCanaryServer({ productionApprovals: 2 });
beforeEach(async () => {
  await createTokenModel(desk.connection()).deleteMany({ createdBy: 'ops' });
  [li, wang] = [await createToken('li'), await createToken('wang')];
  if ((await liveChat()) !== '1.0.0') await setApproved('1.0.0');
  await createPendingChangeModel(desk.connection()).deleteMany({});
});
afterAll(() => desk?.end());

test('a change of production waits for a second token, and the history names both', async () => {
  const { revision } = await desk.pointer();
  const requested = await set('1.1.0');
  expect(requested).toMatchObject({
    status: 202,
    body: {
      change: {
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        kind: 'set',
        request: { releases: ['mfe-chat@1.1.0'] },
        names: ['mfe-chat@1.1.0'],
        ...note,
        token: 'li',
        revision,
        state: 'waiting',
        approvedBy: null,
      },
    },
  });
  expect(await liveChat()).toBe('1.0.0');
  const { id } = requested.body.change;
  expect(await changes()).toEqual([requested.body.change]);

  expect(await approve(id)).toMatchObject({ status: 200, body: { revision: revision + 1 } });
  expect(await liveChat()).toBe('1.1.0');
  expect(await changes()).toMatchObject([{ id, state: 'applied', approvedBy: 'wang' }]);
  const { moves } = (await call<{ moves: MoveInfo[] }>('GET', 'history', li.token)).body;
  expect(moves[0]).toMatchObject({ kind: 'set', ...note, token: 'li', approvedBy: 'wang' });
});

test('the token that requested a change cannot approve it, nor can its session, a newer token or one without the scope compose', async () => {
  const { id } = (await set('1.1.0')).body.change;
  const session = (await call<OpsSession>('POST', 'session', li.token)).body.token;
  const later = await createToken('later');
  const team = await createToken('team', ['release:*', 'preview', 'compose:staging']);
  for (const token of [li.token, session, later.token, team.token])
    expect(await approve(id, token)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
  expect((await approve(id, 'a-guess')).status).toBe(401);
  expect(await liveChat()).toBe('1.0.0');
  expect((await approve(id, opsToken)).status).toBe(200);
});

test('an approval is refused if the pointer has moved since', async () => {
  const [first, second] = [await set('1.1.0'), await set('1.2.0')];
  expect((await approve(second.body.change.id)).status).toBe(200);
  expect(await approve(first.body.change.id)).toMatchObject({
    status: 409,
    body: { error: 'conflict', field: 'revision' },
  });
  expect(await changes()).toMatchObject([{ state: 'applied' }, { state: 'outdated' }]);
});

test('of several approvals at the same time one applies the change', async () => {
  const { id } = (await set('1.1.0')).body.change;
  const { revision } = await desk.pointer();
  const replies = await Promise.all([approve(id), approve(id), approve(id, opsToken)]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await desk.pointer()).revision).toBe(revision + 1);
  expect(await approve(id)).toMatchObject({ status: 409, body: { field: 'change' } });
  expect((await reject(id)).status).toBe(409);
});

test('a rejected or expired change cannot be approved', async () => {
  const { id } = (await set('1.1.0')).body.change;
  expect(await reject(id, li.token)).toMatchObject({
    status: 200,
    body: { state: 'rejected', rejectedBy: 'li' },
  });
  expect((await approve(id)).status).toBe(409);
  const late = (await set('1.1.0')).body.change;
  await createPendingChangeModel(desk.connection()).updateOne(
    { _id: late.id },
    { $set: { expiresAt: new Date() } },
  );
  expect((await approve(late.id)).status).toBe(409);
  expect(await changes()).toMatchObject([{ state: 'expired' }, { state: 'rejected' }]);
  expect(await liveChat()).toBe('1.0.0');
});

test('the change of a token that was revoked meanwhile cannot be approved', async () => {
  const { id } = (await set('1.1.0')).body.change;
  await call('POST', 'tokens/li/revoke', opsToken);
  expect(await approve(id)).toMatchObject({ status: 409, body: { error: 'conflict' } });
  expect(await liveChat()).toBe('1.0.0');
});

test('a change that a killed process applied without recording it is listed as applied', async () => {
  const { id } = (await set('1.1.0')).body.change;
  await approve(id);
  await createPendingChangeModel(desk.connection()).updateOne({ _id: id }, { $set: { appliedAt: null } });
  expect(await changes()).toMatchObject([{ id, state: 'applied' }]);
  expect((await approve(id)).status).toBe(409);
});

test('a change whose approval failed can still be rejected, one that is being approved cannot', async () => {
  const releases = desk.connection().collection<{ _id: string }>('releases');
  const { id } = (await set('1.1.0')).body.change;
  await releases.updateOne({ _id: 'mfe-chat@1.1.0' }, { $set: { publishedAt: null } });
  expect((await approve(id)).status).toBe(404);
  await releases.updateOne({ _id: 'mfe-chat@1.1.0' }, { $set: { publishedAt: new Date() } });
  expect(await changes()).toMatchObject([{ id, state: 'waiting', approvedBy: null }]);
  const model = createPendingChangeModel(desk.connection());
  await model.updateOne({ _id: id }, { $set: { approvedBy: 'ops' } });
  expect((await reject(id)).status).toBe(409);
  await model.updateOne({ _id: id }, { $set: { approvedBy: null } });
  expect((await reject(id)).status).toBe(200);
});

test('a change that the check refuses is not stored', async () => {
  expect((await set('9.9.9')).status).toBe(404);
  const outdated = { ...note, releases: ['mfe-chat@1.1.0'], revision: 0 };
  expect((await call('POST', 'pointer', li.token, outdated)).status).toBe(409);
  expect(await changes()).toEqual([]);
});

test('a rollback to the default target takes effect at once, one to another composition waits', async () => {
  const first = (await desk.pointer()).composition.id;
  await setApproved('1.1.0');
  await setApproved('1.2.0');
  const { previous } = await desk.pointer();
  const rollBack = (to?: string) =>
    call('POST', 'pointer/rollback', li.token, { ...note, ...(to ? { to } : {}) });
  expect((await rollBack(first)).status).toBe(202);
  expect((await rollBack(previous?.slice(0, 8))).status).toBe(200);
  expect(await liveChat()).toBe('1.1.0');
  expect((await rollBack()).status).toBe(200);
});

test('each step of a canary waits, except ending it', async () => {
  const start = await call('POST', 'canary', li.token, {
    ...note,
    releases: ['mfe-chat@1.1.0'],
    share: 10,
  });
  expect(start.status).toBe(202);
  expect((await approve(start.body.change.id)).status).toBe(200);
  const share = await call('PATCH', 'canary', li.token, { ...note, share: 50 });
  expect(share).toMatchObject({
    status: 202,
    body: { change: { kind: 'share', request: { share: 50 }, names: ['50%'] } },
  });
  expect((await call('POST', 'canary/promote', li.token, note)).status).toBe(202);
  expect((await call('POST', 'canary/abort', li.token, note)).status).toBe(200);
  expect((await approve(share.body.change.id)).status).toBe(409);
});

test('an unknown change is not found', async () => {
  for (const id of ['00000000', 'x', '%24ne']) {
    expect((await approve(id)).status).toBe(404);
    expect((await reject(id)).status).toBe(404);
  }
});

test('two people with the right to operate request and approve a change with their passwords, until they lose that right', async () => {
  const password = 'a long password';
  const users = createUserModel(desk.connection());
  const operate = async (name: string) => {
    const visitor = await signedUp(desk.url(), name, password);
    const ask = (typed: string) =>
      visitor.call<OpsSession & ErrorBody>('POST', '/api/operate', { password: typed });
    await users.updateOne({ nameKey: name }, { $set: { roles: [] } });
    expect(await ask(password)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    await users.updateOne({ nameKey: name }, { $set: { roles: ['operator'] } });
    expect(await ask('a guess')).toMatchObject({ status: 403, body: { field: 'password' } });
    return { visitor, token: (await ask(password)).body.token };
  };
  const chen = await operate('chen');
  const zhao = await operate('zhao');
  expect((await call('GET', 'tokens', chen.token)).status).toBe(403);
  const { id } = (await set('1.1.0', chen.token)).body.change;
  expect(await changes()).toMatchObject([{ id, token: '@chen' }]);
  expect((await approve(id, chen.token)).status).toBe(403);
  await chen.visitor.call('POST', '/admin/logout');
  expect((await set('1.2.0', chen.token)).status).toBe(401);

  await users.updateOne({ nameKey: 'chen' }, { $set: { disabledAt: new Date() } });
  expect((await approve(id, zhao.token)).status).toBe(409);
  await users.updateOne({ nameKey: 'chen' }, { $set: { disabledAt: null } });
  expect((await approve(id, zhao.token)).status).toBe(200);
  expect(await changes()).toMatchObject([{ id, state: 'applied', approvedBy: '@zhao' }]);
  const audited = await desk.connection().collection('audit').find({ event: 'operation' }).toArray();
  const zhaoId = (await users.findOne({ nameKey: 'zhao' }))!._id.toHexString();
  expect(audited.at(-1)).toMatchObject({ by: `user:${zhaoId}`, people: [`user:${zhaoId}`] });
  expect(JSON.stringify(audited)).not.toMatch(/zhao|chen/);
  await users.updateOne({ nameKey: 'zhao' }, { $set: { roles: ['administrator'] } });
  expect((await set('1.2.0', zhao.token)).status).toBe(401);
});
