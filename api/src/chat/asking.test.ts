import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createLog } from '../http/create-log.ts';
import { createFindRecord } from '../records/find-record.ts';
import { createHiddenRecords } from '../records/hidden-records.ts';
import { createThisProcess, newLease } from '../store/process-lease.ts';
import { finishedRecord, openTestModels } from '../testing/open-test-models.ts';
import { createPipe, createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { createAsking } from './asking.ts';
import { createRunningAnswers } from './running-answers.ts';

jest.setTimeout(30_000);

let store: Awaited<ReturnType<typeof openTestModels>>;
beforeAll(async () => {
  store = await openTestModels();
});
afterAll(() => store.end());

const owner = 'user:1';

/** A process on the store. `hold` delays everything that it has read until the returned function is called. */
function startProcess() {
  const { records, erasures } = store.models;
  const self = createThisProcess();
  const hidden = createHiddenRecords(erasures);
  const find = createFindRecord(records, hidden);
  const answerer = createScriptedAnswerer();
  let held: PromiseWithResolvers<void> | null = null;
  let hasRead: PromiseWithResolvers<void> | null = null;
  const asking = createAsking({
    models: store.models,
    hidden,
    findRecord: async (...given) => {
      const record = await find(...given);
      hasRead?.resolve();
      await held?.promise;
      return record;
    },
    createRecord: { put: () => Promise.reject(new Error('unused')), join: async () => null },
    filesOf: async () => [],
    documentsOf: async () => [],
    answerer,
    running: createRunningAnswers({ records, self, log: createLog('silent') }),
    guests: { ensureStored: async () => undefined } as never,
    self,
  });
  return {
    self,
    answerer,
    asking,
    /** Resolves with a function that releases it, once something has been read. */
    hold() {
      held = Promise.withResolvers();
      hasRead = Promise.withResolvers();
      const { promise } = hasRead;
      const release = () => {
        held?.resolve();
        held = null;
        hasRead = null;
      };
      return { hasRead: promise, release };
    },
  };
}

type Process = ReturnType<typeof startProcess>;

async function retry({ asking }: Process, id: string, clientId?: string): Promise<string> {
  const asked = await asking.retry(owner, 'en', id, clientId);
  let text = '';
  for await (const progress of asked.follow(0, new AbortController().signal))
    if (progress.kind === 'text') text += progress.text;
  return text;
}

async function givenRecord(): Promise<string> {
  const record = finishedRecord({ owner, question: 'q', answer: 'old' });
  await store.models.records.create(record);
  return record._id.toHexString();
}

test('a retry that another process has answered since it was read is not answered again', async () => {
  const [one, other] = [startProcess(), startProcess()];
  const id = await givenRecord();
  const { hasRead, release } = one.hold();
  const late = retry(one, id, 'k1');
  await hasRead;
  expect(await retry(other, id, 'k1')).toBe('q');
  release();
  expect(await late).toBe('q');
  expect([one.answerer.asked.length, other.answerer.asked.length]).toEqual([0, 1]);
});

test('of two retries at the same time one answers and the other joins it, with and without a client id', async () => {
  for (const clientId of ['k1', undefined]) {
    const [one, other] = [startProcess(), startProcess()];
    const id = await givenRecord();
    const pipe = createPipe();
    for (const { answerer } of [one, other]) answerer.script = pipe.script;
    const holds = [one.hold(), other.hold()];
    const both = [retry(one, id, clientId), retry(other, id, clientId)];
    await Promise.all(holds.map(({ hasRead }) => hasRead));
    for (const { release } of holds) release();
    pipe.say('new');
    pipe.close();
    expect(await Promise.all(both)).toEqual(['new', 'new']);
    expect(one.answerer.asked.length + other.answerer.asked.length).toBe(1);
  }
});

test('a retry answers again what a dead process left unfinished, and joins what a live one is answering', async () => {
  const [one, gone, alive] = [startProcess(), createThisProcess(), createThisProcess()];
  const unfinished = async (lease: ReturnType<typeof newLease>) => {
    const record = finishedRecord({ owner, question: 'q', answer: '', status: 'answering', lease });
    await store.models.records.create(record);
    return record._id.toHexString();
  };
  const [left, held] = [await unfinished(newLease(gone)), await unfinished(newLease(alive))];
  gone.end();
  expect(await retry(one, left)).toBe('q');
  expect(one.answerer.asked).toHaveLength(1);
  await one.asking.retry(owner, 'en', held);
  expect(one.answerer.asked).toHaveLength(1);
  alive.end();
});

test('a record that is deleted while a retry is decided is not answered', async () => {
  const one = startProcess();
  const id = await givenRecord();
  const { hasRead, release } = one.hold();
  const late = one.asking.retry(owner, 'en', id);
  await hasRead;
  const erasedBy = finishedRecord({})._id;
  await store.models.records.updateOne({ _id: id }, { $set: { erasedBy } });
  release();
  await expect(late).rejects.toMatchObject({ status: 404 });
  expect(one.answerer.asked).toHaveLength(0);
});

test('a stop request ends an answer in another process, once', async () => {
  const [one, other] = [startProcess(), startProcess()];
  const id = await givenRecord();
  const pipe = createPipe();
  one.answerer.script = pipe.script;
  const asked = await one.asking.retry(owner, 'en', id);
  pipe.say('so far');
  const pieces = asked.follow(0, new AbortController().signal)[Symbol.asyncIterator]();
  await pieces.next();
  expect(await other.asking.stop(owner, id)).toBe('stopped');
  expect(await other.asking.stop(owner, id)).toBe('stopped');
  const record = await store.models.records.findById(id).lean();
  expect(record).toMatchObject({ status: 'stopped', answer: 'so far', lease: null });
  await expect(other.asking.stop('user:2', id)).rejects.toMatchObject({ status: 404 });
});
