import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { createThisProcess } from '../store/process-lease.ts';
import { openTestModels, type TestModels } from '../testing/open-test-models.ts';
import { createContacts } from './contacts.ts';
import { createConversationSummaries } from './conversation-summaries.ts';
import { createRecordCreator } from './create-record.ts';
import { createFindRecord, createHiddenRecords } from './hidden-records.ts';

let models: TestModels;
let end: () => Promise<void>;
beforeAll(async () => {
  ({ models, end } = await openTestModels());
});
afterAll(() => end());

let owners = 0;

/** Creates records; `meanwhile` runs after the conversation of a question has been read. */
function arrange(meanwhile: (conversationId: Types.ObjectId) => Promise<unknown> = async () => undefined) {
  const owner = `user:${++owners}`;
  const hidden = createHiddenRecords(models.deletions);
  const summaries = createConversationSummaries(models, hidden);
  const creator = createRecordCreator({
    models,
    hidden,
    contacts: createContacts(models, hidden),
    summaries: {
      ...summaries,
      async get(...given) {
        const found = await summaries.get(...given);
        await meanwhile(found._id);
        return found;
      },
    },
    guests: { ensureStored: async () => undefined } as never,
    findRecord: createFindRecord(models.records, hidden),
    self: createThisProcess(),
  });
  const put = async (text: string, more: object = {}) =>
    (await creator.put(owner, 'en', { text, ...more }, () => true)).record;
  return { owner, put };
}

test('a question for a conversation that is erased meanwhile is refused and leaves nothing', async () => {
  const erasedBy = new Types.ObjectId();
  const { owner, put } = arrange((_id) => models.conversations.updateOne({ _id }, { $set: { erasedBy } }));
  const { conversationId } = await put('first');
  const late = put('late', { conversationId: conversationId.toHexString() });
  await expect(late).rejects.toMatchObject({ status: 404 });
  expect(await models.records.countDocuments({ owner, question: 'late' })).toBe(0);
});

test('a question for a conversation that is changed meanwhile is counted', async () => {
  const { put } = arrange((_id) => models.conversations.updateOne({ _id }, { $inc: { revision: 1 } }));
  const { conversationId } = await put('first');
  await put('second', { conversationId: conversationId.toHexString() });
  expect(await models.conversations.findById(conversationId).lean()).toMatchObject({ recordCount: 2 });
});

test('of the same question asked twice at once one is created, and the other joins it', async () => {
  const { owner, put } = arrange();
  const both = await Promise.all([put('once', { clientId: 'k' }), put('once', { clientId: 'k' })]);
  expect(both[0]!._id).toEqual(both[1]!._id);
  expect(await models.records.countDocuments({ owner })).toBe(1);
  expect(await models.conversations.countDocuments({ owner })).toBe(1);
});

test('versions of a question are numbered on, also after one was erased', async () => {
  const { put } = arrange();
  const first = await put('one');
  const versionOf = first._id.toHexString();
  const second = await put('two', { versionOf });
  await models.records.updateOne({ _id: second._id }, { $set: { erasedBy: new Types.ObjectId() } });
  const third = await put('three', { versionOf });
  expect([second, third].map((one) => one.versionOf?.number)).toEqual([2, 3]);
});
