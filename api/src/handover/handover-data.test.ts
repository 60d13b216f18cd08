import { afterAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { Deletion } from '../contract/deletions.ts';
import type { Handover, HandoverList, InboxDetail } from '../contract/handover.ts';
import { filesWith } from '../testing/files-with.ts';
import {
  ask,
  askForPerson,
  inboxOf,
  isInInbox,
  makeEditor,
  newClientId,
  opsToken,
  reply,
} from '../testing/handover-desk.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const password = 'long enough';

const api = await startTestApi({ answerer: createScriptedAnswerer(), config: { opsToken } });
const agent = await signedUp(api.url, 'agent', password);
afterAll(() => api?.end());

const guest = () => createVisitor(api.url);
const handovers = () => api.connection.collection('handovers');

const handoversOf = (visitor: Visitor, conversationId: string) =>
  visitor.call<HandoverList>('GET', `/api/conversations/${conversationId}/handovers`);

async function erase(visitor: Visitor, method: string, path: string, body?: object): Promise<Deletion> {
  const deleted = await visitor.call<Deletion>(method, path, body);
  expect(deleted).toMatchObject({ status: 200, body: { deleted: expect.any(Number) } });
  return deleted.body;
}

describe('deleting', () => {
  /** Deletions that name the record of a handover. */
  const deletions: [string, (visitor: Visitor, handover: Handover) => Promise<Deletion>][] = [
    [
      'its conversation',
      (visitor, { conversationId }) => erase(visitor, 'DELETE', `/api/conversations/${conversationId}`),
    ],
    [
      'its contact',
      (visitor) => erase(visitor, 'POST', '/api/delete_by_contact', { contact: 'li@example.com' }),
    ],
    [
      'its day',
      (visitor) => erase(visitor, 'POST', '/api/delete_by_date', { from: '2000-01-01', to: '2100-01-01' }),
    ],
    [
      'its record',
      (visitor, { recordId }) => erase(visitor, 'POST', '/api/delete_by_ids', { ids: [recordId] }),
    ],
  ];

  test.each(deletions)('%s hides a handover, undoing restores it, purging deletes it', async (_, remove) => {
    const visitor = guest();
    const secret = `In September ${newClientId()} quagga`;
    const { conversationId, recordId } = await ask(visitor, 'pears', { contact: 'li@example.com' });
    const asked = await askForPerson(visitor, { conversationId, recordId });
    await reply(agent, asked.id, secret);
    const before = await inboxOf(agent);

    const { undoToken } = await remove(visitor, asked);
    expect(await isInInbox(agent, asked)).toBe(false);
    expect((await inboxOf(agent)).open).toBe(before.open - 1);
    expect((await handoversOf(visitor, conversationId)).status).toBe(404);
    const message = { text: 'x', clientId: newClientId() };
    for (const [one, path, body] of [
      [visitor, `/api/handovers/${asked.id}/messages`, message],
      [visitor, `/api/handovers/${asked.id}/close`],
      [agent, `/api/inbox/${asked.id}/messages`, message],
      [agent, `/api/inbox/${asked.id}/take`],
    ] as const)
      expect([path, (await one.call('POST', path, body)).status]).toEqual([path, 404]);

    expect((await visitor.call('POST', '/api/undo_delete', { undoToken })).status).toBe(200);
    expect(await inboxOf(agent)).toEqual({
      ...before,
      handovers: before.handovers.map((one) =>
        one.id === asked.id ? { ...one, updatedAt: expect.any(String) } : one,
      ),
    });
    expect((await handoversOf(visitor, conversationId)).body.handovers).toMatchObject([
      { id: asked.id, state: 'answered', messages: [{ text: secret }] },
    ]);

    const again = await remove(visitor, asked);
    expect((await visitor.call('POST', '/api/purge', { undoToken: again.undoToken })).status).toBe(200);
    expect(await handovers().countDocuments({ _id: new Types.ObjectId(asked.id) })).toBe(0);
    expect(await filesWith(api.dataDir, secret)).toEqual([]);
  });

  test('a deletion that another process has only decided hides a handover', async () => {
    const visitor = guest();
    const asked = await askForPerson(visitor, { question: 'Is it hidden at once?' });
    const { owner, conversationId } = (await handovers().findOne({ question: 'Is it hidden at once?' }))!;
    const until = new Date(Date.now() + 60_000);
    const { insertedId } = await api.connection.collection('erasures').insertOne({
      owner,
      undoToken: 'of another process',
      state: 'erasing',
      kind: 'conversation',
      conversationId,
      ids: [],
      except: [],
      matched: 1,
      lease: { process: 'another', host: 'elsewhere', pid: 1, until },
      createdAt: new Date(),
      undoUntil: until,
      forgetAt: null,
    });
    expect(await isInInbox(agent, asked)).toBe(false);
    expect((await visitor.call('GET', `/api/handovers/${asked.id}`)).status).toBe(404);
    await api.connection.collection('erasures').deleteOne({ _id: insertedId });
    expect(await isInInbox(agent, asked)).toBe(true);
  });

  test('deleting another record of the conversation leaves the handover unchanged', async () => {
    const visitor = guest();
    const { conversationId, recordId } = await ask(visitor, 'one');
    const other = await ask(visitor, 'other', { conversationId });
    const asked = await askForPerson(visitor, { conversationId, recordId });
    await erase(visitor, 'POST', '/api/delete_by_ids', { ids: [other.recordId] });
    expect(await isInInbox(agent, asked)).toBe(true);
    const { body } = await agent.call<InboxDetail>('GET', `/api/inbox/${asked.id}`);
    expect(body.records.map(({ question }) => question)).toEqual(['one']);
  });

  test('undoing closes a handover if the conversation has another open one by now', async () => {
    const visitor = guest();
    const { conversationId, recordId } = await ask(visitor, 'one');
    await ask(visitor, 'other', { conversationId });
    const first = await askForPerson(visitor, { conversationId, recordId });
    const { undoToken } = await erase(visitor, 'POST', '/api/delete_by_ids', { ids: [recordId] });
    const second = await askForPerson(visitor, { conversationId });
    expect(second.id).not.toBe(first.id);
    await visitor.call('POST', '/api/undo_delete', { undoToken });
    expect((await handoversOf(visitor, conversationId)).body.handovers).toMatchObject([
      { id: first.id, state: 'closed' },
      { id: second.id, state: 'waiting' },
    ]);
  });
});

describe('accounts', () => {
  test('a guest who signs up takes the handovers along, even with client ids that the account has', async () => {
    const owner = await signedUp(api.url, 'the owner', password);
    const clientId = newClientId();
    await askForPerson(owner, { clientId });
    const visitor = guest();
    const asked = await askForPerson(visitor, { clientId });
    await visitor.signIn('the owner', password);
    const { body } = await handoversOf(visitor, asked.conversationId);
    expect(body.handovers).toMatchObject([{ id: asked.id }]);
    await reply(agent, asked.id, 'Hello');
    expect((await handoversOf(owner, asked.conversationId)).body.handovers).toMatchObject([
      { messages: [{ text: 'Hello' }] },
    ]);
  });

  test('the export of an account contains its handovers', async () => {
    const owner = await signedUp(api.url, 'exports', password);
    const asked = await askForPerson(owner);
    const other = await askForPerson(owner);
    await reply(agent, asked.id, 'Hello');
    await erase(owner, 'DELETE', `/api/conversations/${other.conversationId}`);
    const { body } = await owner.call<{ handovers: Handover[] }>('GET', '/admin/export');
    expect(body.handovers).toMatchObject([{ id: asked.id, messages: [{ text: 'Hello' }] }]);
  });

  test('deleting an account deletes its handovers and releases those that it has taken', async () => {
    const leaving = await signedUp(api.url, 'leaving', password);
    await makeEditor(api, 'leaving');
    const own = await askForPerson(leaving);
    const visitor = guest();
    const [assigned, answered] = [await askForPerson(visitor), await askForPerson(visitor)];
    await leaving.call('POST', `/api/inbox/${assigned.id}/take`);
    await reply(leaving, answered.id, 'Hello');
    const closed = await askForPerson(guest());
    await reply(leaving, closed.id, 'Bye');
    await leaving.call('POST', `/api/inbox/${closed.id}/close`);
    const storedClosed = () => handovers().findOne({ _id: new Types.ObjectId(closed.id) });
    const { updatedAt } = (await storedClosed())!;

    expect((await leaving.call('DELETE', '/admin/account', { password })).body).toMatchObject({ code: 1 });
    expect(await isInInbox(agent, own)).toBe(false);
    expect(await handovers().countDocuments({ _id: new Types.ObjectId(own.id) })).toBe(0);
    const shown = async ({ id, conversationId }: Handover) => {
      const { body } = await handoversOf(visitor, conversationId);
      return body.handovers.find((one) => one.id === id);
    };
    expect(await shown(assigned)).toMatchObject({ state: 'waiting', agent: null });
    expect(await shown(answered)).toMatchObject({ state: 'answered', agent: null });
    // Not the latest of the closed ones because of this.
    expect(await storedClosed()).toMatchObject({ agentId: null, agentName: '', updatedAt });
    expect(await reply(agent, answered.id, 'I continue.')).toMatchObject({ isMine: true });
  });
});
