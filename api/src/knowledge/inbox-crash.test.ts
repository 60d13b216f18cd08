import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type mongoose from 'mongoose';
import { pairModel } from '../answers/pairs/pair.ts';
import type { RecordDocument } from '../records/record.ts';
import { finishedRecord, openTestModels, type TestModels } from '../testing/open-test-models.ts';
import { until } from '../testing/until.ts';
import { createInboxSorter, type OpenInbox, openInbox } from './inbox.ts';

const all = { seen: {}, targets: () => [] };

let models: TestModels;
let end: () => Promise<void>;
let inbox: OpenInbox;

/** Simulates a newly started process without state in memory. */
function startProcess(): OpenInbox {
  const pairs = pairModel.create(models.records.db as mongoose.Connection);
  return openInbox(models, pairs, Buffer.from('a key of the test'), async ({ audience = [] }) => [
    ...audience,
  ]);
}

beforeAll(async () => {
  ({ models, end } = await openTestModels());
  await pairModel.create(models.records.db as mongoose.Connection).createIndexes();
});
afterAll(() => end());
beforeEach(async () => {
  inbox = startProcess();
  await models.records.deleteMany({});
  await models.unanswered.deleteMany({});
  await pairModel.create(models.records.db as mongoose.Connection).deleteMany({});
});

/**
 * Resumes until nothing is due: one call sorts for a limited time, which may not suffice on a busy machine.
 */
async function resume({ inbox }: OpenInbox): Promise<void> {
  await until(async () => {
    await inbox.resume();
    return !(
      (await models.records.exists({ inboxDue: true })) || (await models.unanswered.exists({ isDue: true }))
    );
  });
}

/** A record for which nothing was found, as stored by its last change. */
async function asked(question: string, fields: Partial<RecordDocument> = {}): Promise<RecordDocument> {
  const record = finishedRecord({ question, source: 'none', inboxDue: true, ...fields });
  await models.records.create(record);
  return record;
}

const groupsOf = async () =>
  (await models.unanswered.find().lean()).map(({ question, count, state }) => [question, count, state]);

test('an empty group, and one that lost its records, are deleted by the next run', async () => {
  await inbox.groups.markDue('a'.repeat(24), { language: 'zh' });
  const record = await asked('第一个问题');
  await resume(inbox);
  // As if the process was killed after writing the record, before the group was updated.
  const [group] = await models.unanswered.find().lean();
  await models.records.deleteOne({ _id: record._id });
  await models.unanswered.updateOne({ _id: group!._id }, { $set: { isDue: true } });
  await resume(startProcess());
  expect(await groupsOf()).toEqual([]);
});

test('a record in a missing group recreates it', async () => {
  const record = await asked('第二个问题');
  await resume(inbox);
  const before = await models.unanswered.findOne().lean();
  await models.unanswered.deleteMany({});
  await startProcess().groups.recalculate([before!._id]);
  expect(await groupsOf()).toEqual([['第二个问题', 1, 'open']]);
  expect((await models.records.findById(record._id).lean())?.inbox).toBe(before!._id);
});

test('an interrupted answer is continued if its pair exists, and reverted otherwise', async () => {
  const [one, other] = [await asked('苹果几时成熟'), await asked('葡萄什么颜色')];
  await resume(inbox);
  const all = await models.unanswered.find().lean();
  const idOf = (question: string) => all.find((group) => group.question === question)!._id;
  const pair = await inbox.pairs.add(
    { question: '苹果几时成熟', answer: '九月' },
    { readable: [''], editable: [''] },
  );
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

test('concurrent identical questions form one group, whichever process sorts them', async () => {
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => asked(n % 2 ? '樱桃怎么保存' : '请问樱桃如何保存呢')),
  );
  await asked('樱桃在哪里买');
  const [here, there] = [startProcess(), startProcess()];
  await Promise.all([here.inbox.resume(), there.inbox.resume()]);
  await resume(startProcess());
  const { questions } = await inbox.inbox.list({ limit: 10 }, all);
  expect(questions.map(({ count }) => count)).toEqual([30, 1]);
  expect(await models.records.countDocuments({ inboxDue: true })).toBe(0);
});

test('a similar question joins a group that another process has only just created', async () => {
  const record = await asked('樱桃怎么保存');
  const { groups } = startProcess();
  const id = await groups.find(record.question, []);
  await groups.markDue(id, record, record.question);
  expect(await inbox.groups.find('请问樱桃如何保存呢', [])).toBe(id);
  expect(await inbox.groups.find('樱桃怎么保存？', [])).toBe(id);
});

test('a dismissed group without records contains no text, and is still recognised', async () => {
  const record = await asked('石榴有多少籽');
  const { questions } = await inbox.inbox.list({ limit: 10 }, all);
  await inbox.inbox.dismiss(questions[0]!.id, all);
  await inbox.inbox.forget(record.owner);
  await models.records.deleteMany({});
  const left = await models.unanswered.findOne().lean();
  expect(left).toMatchObject({ state: 'dismissed', question: '', ways: [], terms: [], count: 0 });
  expect(JSON.stringify(left)).not.toContain('石榴');
  await asked('请问石榴有多少籽？');
  expect((await inbox.inbox.list({ limit: 10 }, all)).questions).toEqual([]);
});

test('a reader waits a limited time while many records are due, however many others are waiting', async () => {
  const { groups } = inbox;
  const blocked = Promise.withResolvers<void>();
  const recalculateDue = async () => {
    await blocked.promise;
    await groups.recalculateDue();
  };
  await asked('山竹甜吗');
  const sorter = createInboxSorter(models.records, { ...groups, recalculateDue }, async () => []);

  await Promise.all(Array.from({ length: 6 }, () => sorter.sort(10)));

  expect(await groupsOf()).toEqual([]);
  blocked.resolve();
  await sorter.sort(60_000);
  expect(await groupsOf()).toEqual([['山竹甜吗', 1, 'open']]);
});

test('a group that an editor is answering is left to that process', async () => {
  await asked('What is the password of the guests?');
  await resume(inbox);
  const at = new Date(Date.now() - 30_000).toISOString();
  const answer = { pairId: 'p', text: 'Ask the desk.', at };
  await models.unanswered.updateMany({}, { $set: { state: 'answering', answer } });
  await resume(startProcess());
  expect(await groupsOf()).toEqual([['What is the password of the guests?', 1, 'answering']]);
});
