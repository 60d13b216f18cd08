import { expect } from '@jest/globals';
import { Types } from 'mongoose';
import { createHiddenRecords } from '../records/hidden-records.ts';
import { embeddedOnly } from '../testing/embedded-only.ts';
import { openCountedStore } from '../testing/open-counted-store.ts';
import { finishedRecord } from '../testing/open-test-models.ts';
import type { HandoverDocument } from './handover.ts';
import { createHandoverChanges } from './handover-changes.ts';
import { handoversOfRecords, ownedHandovers } from './handover-data.ts';
import { createHandoverInbox } from './handover-inbox.ts';
import { createHandovers } from './handovers.ts';
import { createReadResponseTime } from './open-handover.ts';

const agent = { id: 'user:1', name: 'agent', isEditor: true };
const page = { limit: 20 };
const hour = 3_600_000;

const { models, readBy } = await openCountedStore();
await give(30, true);
await give(1000, false);

/** Handovers of one visitor each, with their records; the closed ones are old. */
async function give(count: number, isOpen: boolean): Promise<void> {
  const at = new Date(Date.now() - (isOpen ? hour : 100 * 24 * hour));
  const records = Array.from({ length: count }, (_, n) => finishedRecord({ owner: `guest:${isOpen} ${n}` }));
  await models.records.insertMany(records);
  await models.handovers.insertMany(
    records.map(
      ({ _id, owner, conversationId }): HandoverDocument => ({
        _id: new Types.ObjectId(),
        owner,
        conversationId,
        recordId: _id,
        isOfConversation: false,
        question: 'x',
        contactDetails: '',
        isOpen,
        ...(isOpen ? { openIn: conversationId } : {}),
        isAnswered: true,
        agentId: isOpen ? null : 'user:2',
        agentName: '',
        messages: [],
        lastMessage: 'x',
        waitingSince: at,
        isUnread: isOpen,
        firstReplyAt: at,
        firstReplyMs: hour,
        pairId: null,
        createdAt: at,
        updatedAt: at,
        revision: 1,
        erasedBy: null,
      }),
    ),
  );
}

embeddedOnly('every query reads what it returns, however many other handovers there are', async () => {
  const hidden = createHiddenRecords(models.deletions);
  const changes = createHandoverChanges(models.handovers);
  const pairs = { putFor: () => Promise.reject(new Error('expected no pair')) };
  const inbox = createHandoverInbox({ ...models, hidden, pairs, changes });
  const ofRecords = handoversOfRecords(models, hidden);
  const { recordId } = (await models.handovers.findOne({ isOpen: true }).lean())!;
  const queries: [string, number, () => Promise<unknown>][] = [
    // A page with one more handover, the record of each, and the index entries of the count.
    ['the first page of open ones', 60, () => inbox.list(agent, 'open', page)],
    ['the first page of closed ones', 60, () => inbox.list(agent, 'closed', page)],
    ['the number of open ones', 1, () => inbox.countOpen()],
    ['the response time', 35, createReadResponseTime(models.handovers)],
    ['unread replies', 2, () => ofRecords.unreadIn('guest:true 1')],
    ['hiding those of a record', 2, () => ofRecords.hide(new Types.ObjectId(), [recordId])],
    ['restoring those of a deletion', 2, () => ofRecords.restore(new Types.ObjectId())],
    ['deleting those of a record', 2, () => ofRecords.remove([recordId])],
    ['deleting an account', 2, async () => ownedHandovers(models.handovers).deleteMany({ owner: 'user:3' })],
    ['following changes', 2, () => changes.follow(null, AbortSignal.timeout(1)).next()],
  ];
  const read: [string, boolean][] = [];
  for (const [name, limit, query] of queries) {
    read.push([name, (await readBy(query)).rows <= limit]);
  }
  expect(read).toEqual(queries.map(([name]) => [name, true]));
});

embeddedOnly('a reply that arrives while the earlier ones are read stays unread', async () => {
  const { _id, owner, conversationId } = (await models.handovers.findOne({ isOpen: true }).lean())!;
  const reply = () =>
    models.handovers.updateOne({ _id }, { $set: { isUnread: true }, $inc: { revision: 1 } }).exec();
  /** The replies are marked as seen after another one was stored. */
  const updateOne = async (...args: Parameters<typeof models.handovers.updateOne>) => {
    await reply();
    return models.handovers.updateOne(...args);
  };
  const deps = {
    ...models,
    handovers: Object.assign(Object.create(models.handovers), { updateOne }),
    hidden: createHiddenRecords(models.deletions),
    summaries: { get: async () => ({ _id: conversationId }) },
  };
  const handovers = createHandovers(deps as unknown as Parameters<typeof createHandovers>[0]);
  const seen = await handovers.ofConversation(owner, conversationId.toHexString(), true);
  expect(seen).toHaveLength(1);
  expect(await models.handovers.findById(_id).lean()).toMatchObject({ isUnread: true });
});
