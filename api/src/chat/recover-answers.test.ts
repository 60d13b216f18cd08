import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { createContacts } from '../records/contacts.ts';
import { createHiddenRecords } from '../records/hidden-records.ts';
import { databaseNow } from '../store/database-clock.ts';
import { createJobModel, createJobs } from '../store/jobs/jobs.ts';
import { createThisProcess, newLease } from '../store/process-lease.ts';
import { finishedRecord, openTestModels, type TestModels } from '../testing/open-test-models.ts';
import { until } from '../testing/until.ts';
import { followRecord } from './asking.ts';
import { createAnswerRecovery, failAbandoned, recoverAnswers } from './recover-answers.ts';

let models: TestModels;
let end: () => Promise<void>;
beforeAll(async () => {
  ({ models, end } = await openTestModels());
});
afterAll(() => end());

test('after an outage longer than the lease, an answer is left to the process that is still saving it', async () => {
  const self = createThisProcess();
  const { process, host, pid } = self;
  const lease = { process, host, pid, until: new Date(0) };
  const record = finishedRecord({ status: 'answering', answer: 'so far', answeredAt: null, lease });
  await models.records.create(record);
  const contacts = createContacts(models, createHiddenRecords(models.deletions));
  const status = async () => (await models.records.findById(record._id).lean())?.status;

  await recoverAnswers(models, contacts, self, false, (id) => id === record._id.toHexString());
  expect(await status()).toBe('answering');
  await recoverAnswers(models, contacts, self, false, () => false);
  expect(await status()).toBe('failed');
  self.end();
});

test('a record that was created with its answer keeps it, and gets the conversation that its process did not create', async () => {
  const self = createThisProcess();
  const lease = { process: 'gone', host: self.host, pid: 0, until: new Date(0) };
  const record = finishedRecord({
    status: 'answering',
    answer: 'whole',
    begun: false,
    statusBefore: 'done',
    lease,
  });
  await models.records.create(record);
  const contacts = createContacts(models, createHiddenRecords(models.deletions));

  await recoverAnswers(models, contacts, self, true);

  expect(await models.records.findById(record._id).lean()).toMatchObject({ status: 'done', answer: 'whole' });
  expect(await models.conversations.findById(record.conversationId).lean()).toMatchObject({ recordCount: 1 });
  self.end();
});

const gone = { process: 'gone', host: 'elsewhere', pid: 1, until: new Date(0) };
const left = { status: 'answering', answer: 'so far', begun: true, answeredAt: null, lease: gone } as const;

test('the contact and the conversation of an abandoned answer are counted again', async () => {
  const self = createThisProcess();
  const owner = 'user:recounted';
  const record = finishedRecord({ ...left, owner, contact: { id: '10001', name: 'Ann' } });
  await models.records.create(record);
  const { conversationId } = record;
  const dates = { createdAt: record.createdAt, updatedAt: record.createdAt };
  await models.conversations.create({ _id: conversationId, owner, title: 't', recordCount: 0, ...dates });
  const before = await models.conversations.findById(conversationId).lean();
  const contacts = createContacts(models, createHiddenRecords(models.deletions));

  expect(await recoverAnswers(models, contacts, self, false)).toBe(1);

  const after = await models.conversations.findById(conversationId).lean();
  expect(after).toMatchObject({ recordCount: 1 });
  // So that a question that is being added notices it.
  expect(after!.revision).not.toBe(before!.revision);
  expect(await models.contacts.findOne({ owner, contactId: '10001' }).lean()).toMatchObject({ name: 'Ann' });
  expect(await recoverAnswers(models, contacts, self, false)).toBe(0);
  self.end();
});

test('an abandoned answer that was erased gets no conversation', async () => {
  const self = createThisProcess();
  const record = finishedRecord({ ...left, owner: 'user:erased', erasedBy: new Types.ObjectId() });
  await models.records.create(record);
  const contacts = createContacts(models, createHiddenRecords(models.deletions));
  await recoverAnswers(models, contacts, self, false);
  expect((await models.records.findById(record._id).lean())?.status).toBe('failed');
  expect(await models.conversations.findById(record.conversationId).lean()).toBeNull();
  self.end();
});

test('an answer that another process has taken over since it was read is not ended', async () => {
  const other = createThisProcess();
  const record = finishedRecord({ ...left, lease: newLease(other) });
  await models.records.create(record);
  await failAbandoned(models.records, { ...record, lease: gone });
  expect((await models.records.findById(record._id).lean())?.status).toBe('answering');
  await failAbandoned(models.records, record);
  expect(await models.records.findById(record._id).lean()).toMatchObject({ status: 'failed', lease: null });
  other.end();
});

test('a connected reader gets the failure of an abandoned answer, a later reader its text', async () => {
  const self = createThisProcess();
  const record = finishedRecord(left);
  await models.records.create(record);
  const hidden = createHiddenRecords(models.deletions);
  const contacts = createContacts(models, hidden);
  const read = async () => {
    const seen: unknown[] = [];
    const pieces = followRecord(
      { models, hidden, contacts, self },
      record._id,
      0,
      new AbortController().signal,
    );
    for await (const progress of pieces) {
      if (progress.kind === 'text') seen.push(progress.text);
      if (progress.kind === 'end') seen.push(progress.outcome.status, progress.outcome.failure?.status);
    }
    return seen;
  };
  expect(await read()).toEqual(['so far', 'failed', 502]);
  expect(await read()).toEqual(['so far', 'failed', undefined]);
  // Its process died before it created the conversation.
  expect(await models.conversations.findById(record.conversationId).lean()).toMatchObject({ recordCount: 1 });
  self.end();
});

test('another process ends the answers of a process that died while it answered, and then stops looking', async () => {
  const model = createJobModel(models.records.db);
  await model.createIndexes();
  const log = { warn: () => undefined, error: () => undefined };
  const follow = () => undefined;
  const clock = { now: databaseNow, measure: async () => undefined };
  const startProcess = () => {
    const self = createThisProcess();
    const jobs = createJobs({ model, self, clock, isAlone: false, changes: { follow }, log });
    const contacts = createContacts(models, createHiddenRecords(models.deletions));
    const recover = () => recoverAnswers(models, contacts, self, false);
    return { self, jobs, ...createAnswerRecovery({ ...models, jobs, recover }) };
  };
  const [dying, other] = [startProcess(), startProcess()];
  await dying.expectAnswer();
  const record = finishedRecord(left);
  await models.records.create(record);
  // Only the other process runs jobs.
  other.jobs.start();
  await until(async () => (await models.records.findById(record._id).lean())?.status === 'failed');
  expect(await model.countDocuments({})).toBe(1);
  await other.jobs.add('end abandoned answers', { data: { until: 0 } });
  await until(async () => (await model.countDocuments({})) === 0);
  await other.jobs.stop();
  for (const { self } of [dying, other]) self.end();
});
