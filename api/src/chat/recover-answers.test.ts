import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createContacts } from '../records/contacts.ts';
import { createHiddenRecords } from '../records/hidden-records.ts';
import { createThisProcess } from '../store/process-lease.ts';
import type { TestModels } from '../testing/open-test-models.ts';
import { finishedRecord, openTestModels } from '../testing/open-test-models.ts';
import { recoverAnswers } from './recover-answers.ts';

jest.setTimeout(30_000);

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
  const contacts = createContacts(models, createHiddenRecords(models.erasures));
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
  const contacts = createContacts(models, createHiddenRecords(models.erasures));

  await recoverAnswers(models, contacts, self, true);

  expect(await models.records.findById(record._id).lean()).toMatchObject({ status: 'done', answer: 'whole' });
  expect(await models.conversations.findById(record.conversationId).lean()).toMatchObject({ recordCount: 1 });
  self.end();
});
