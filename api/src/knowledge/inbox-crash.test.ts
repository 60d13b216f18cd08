import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type mongoose from 'mongoose';
import { createPairModel } from '../answers/pair.ts';
import type { RecordDocument } from '../records/record.ts';
import type { TestModels } from '../testing/open-test-models.ts';
import { finishedRecord, openTestModels } from '../testing/open-test-models.ts';
import { createInboxSorter } from './inbox-sorter.ts';
import { type OpenInbox, openInbox } from './open-inbox.ts';

jest.setTimeout(60_000);

let models: TestModels;
let end: () => Promise<void>;
let inbox: OpenInbox;

/** A process that begins: it knows what is in the store and nothing else. */
function startProcess(): OpenInbox {
  const pairs = createPairModel(models.records.db as mongoose.Connection);
  return openInbox(models, pairs, Buffer.from('a key of the test'));
}

beforeAll(async () => {
  ({ models, end } = await openTestModels());
  await createPairModel(models.records.db as mongoose.Connection).createIndexes();
});
afterAll(() => end());
beforeEach(async () => {
  inbox = startProcess();
  await models.records.deleteMany({});
  await models.unanswered.deleteMany({});
  await createPairModel(models.records.db as mongoose.Connection).deleteMany({});
});

/** Resumes until nothing is due any more: one call sorts for a bounded time, which a busy machine may exceed. */
async function resume({ inbox }: OpenInbox): Promise<void> {
  do await inbox.resume();
  while (
    (await models.records.exists({ inboxDue: true })) ||
    (await models.unanswered.exists({ isDue: true }))
  );
}

/** A record that found nothing, as its change left it. */
async function asked(question: string, fields: Partial<RecordDocument> = {}): Promise<RecordDocument> {
  const record = finishedRecord({ question, source: 'none', inboxDue: true, ...fields });
  await models.records.create(record);
  return record;
}

const groupsOf = async () =>
  (await models.unanswered.find().lean()).map(({ question, count, state }) => [question, count, state]);

test('a group that nobody got into, and one that somebody had left, are gone after the next look', async () => {
  await inbox.groups.enter('a'.repeat(24), 'zh');
  const record = await asked('第一个问题');
  await resume(inbox);
  // Killed behind the record, before the group was made anew.
  const [group] = await models.unanswered.find().lean();
  await models.records.deleteOne({ _id: record._id });
  await models.unanswered.updateOne({ _id: group!._id }, { $set: { isDue: true } });
  await resume(startProcess());
  expect(await groupsOf()).toEqual([]);
});

test('a record in a group that is not there makes it anew', async () => {
  const record = await asked('第二个问题');
  await resume(inbox);
  const before = await models.unanswered.findOne().lean();
  await models.unanswered.deleteMany({});
  await startProcess().groups.remake([before!._id]);
  expect(await groupsOf()).toEqual([['第二个问题', 1, 'open']]);
  expect((await models.records.findById(record._id).lean())?.inbox).toBe(before!._id);
});

test('an answer that was cut short goes on where its pair is there, and is taken back where it is not', async () => {
  const [one, other] = [await asked('苹果几时成熟'), await asked('葡萄什么颜色')];
  await resume(inbox);
  const all = await models.unanswered.find().lean();
  const idOf = (question: string) => all.find((group) => group.question === question)!._id;
  const pair = await inbox.pairs.add({ question: '苹果几时成熟', answer: '九月' });
  const claim = (id: string, pairId: string, at: Date) =>
    models.unanswered.updateOne(
      { _id: id },
      { $set: { state: 'answering', answer: { pairId, text: '九月', at: at.toISOString() } } },
    );
  await claim(idOf('苹果几时成熟'), pair.id, new Date());
  await claim(idOf('葡萄什么颜色'), 'b'.repeat(24), new Date(Date.now() - 120_000));
  await resume(startProcess());
  expect(await groupsOf()).toEqual([['葡萄什么颜色', 1, 'open']]);
  expect((await models.records.findById(one._id).lean())?.answeredSince).toMatchObject({
    pairId: pair.id,
    answer: '九月',
  });
  expect((await models.records.findById(other._id).lean())?.answeredSince).toBeNull();
});

test('many who ask the same at once are one group, whichever process sorts them', async () => {
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => asked(n % 2 ? '樱桃怎么保存' : '请问樱桃如何保存呢')),
  );
  await asked('樱桃在哪里买');
  const [here, there] = [startProcess(), startProcess()];
  await Promise.all([here.inbox.resume(), there.inbox.resume()]);
  await resume(startProcess());
  const { questions } = await inbox.inbox.list({ limit: 10 });
  expect(questions.map(({ count }) => count)).toEqual([30, 1]);
  expect(await models.records.countDocuments({ inboxDue: true })).toBe(0);
});

test('what is dismissed and gone leaves no word, and is known again all the same', async () => {
  const record = await asked('石榴有多少籽');
  const { questions } = await inbox.inbox.list({ limit: 10 });
  await inbox.inbox.dismiss(questions[0]!.id);
  await inbox.inbox.forget(record.owner);
  await models.records.deleteMany({});
  const left = await models.unanswered.findOne().lean();
  expect(left).toMatchObject({ state: 'dismissed', question: '', ways: [], terms: [], count: 0 });
  expect(JSON.stringify(left)).not.toContain('石榴');
  await asked('请问石榴有多少籽？');
  expect((await inbox.inbox.list({ limit: 10 })).questions).toEqual([]);
});

test('whoever looks while much is due waits a bounded time, however many wait already', async () => {
  const { groups } = inbox;
  const blocked = Promise.withResolvers<void>();
  const remakeDue = async () => {
    await blocked.promise;
    await groups.remakeDue();
  };
  await asked('山竹甜吗');
  const sorter = createInboxSorter(models.records, { ...groups, remakeDue });

  await Promise.all(Array.from({ length: 6 }, () => sorter.sort(10)));

  expect(await groupsOf()).toEqual([]);
  blocked.resolve();
  await sorter.sort(60_000);
  expect(await groupsOf()).toEqual([['山竹甜吗', 1, 'open']]);
});
