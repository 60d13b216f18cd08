import { afterAll, expect, jest, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { createLog } from '../http/create-log.ts';
import { createContacts } from '../records/contacts.ts';
import { createFindRecord, createHiddenRecords } from '../records/hidden-records.ts';
import type { RecordDocument } from '../records/record.ts';
import { createThisProcess, newLease } from '../store/process-lease.ts';
import { finishedRecord, openTestModels } from '../testing/open-test-models.ts';
import { createPipe, createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { until } from '../testing/until.ts';
import { type Asked, createAsking } from './asking.ts';
import { createRunningAnswers } from './running-answers.ts';

const store = await openTestModels();
afterAll(() => store.end());

const owner = 'user:1';

/** A process on the store. `hold` delays everything that it has read until the returned function is called. */
function startProcess() {
  const { records, deletions } = store.models;
  const self = createThisProcess();
  const hidden = createHiddenRecords(deletions);
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
    contacts: createContacts(store.models, hidden),
    createRecord: {
      put: () => Promise.reject(new Error('unused')),
      join: (_, clientId) => records.findOne({ clientId }).lean(),
    },
    filesOf: async () => [],
    documentsOf: async () => [],
    answerer,
    running: createRunningAnswers({ records, self, log: createLog('silent') }),
    guests: { ensureStored: async () => undefined } as never,
    self,
    recovery: { expectAnswer: async () => undefined },
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
  return textOf(await asking.retry(owner, 'en', id, clientId));
}

async function textOf(asked: Asked): Promise<string> {
  let text = '';
  for await (const progress of asked.follow(0, new AbortController().signal))
    if (progress.kind === 'text') text += progress.text;
  return text;
}

const stored = async (id: string) => (await store.models.records.findById(id).lean())!;

async function givenRecord(fields: Partial<RecordDocument> = {}): Promise<string> {
  const record = finishedRecord({ owner, question: 'q', answer: 'old', ...fields });
  await store.models.records.create(record);
  return record._id.toHexString();
}

test('the end of an answer is written without reading its record, unless that has changed meanwhile', async () => {
  const one = startProcess();
  const reads = jest.spyOn(store.models.records, 'findOne');
  const readsAtEnd = () => reads.mock.calls.filter(([filter]) => filter && 'lease.process' in filter).length;
  const id = await givenRecord();
  expect(await retry(one, id)).toBe('q');
  expect(readsAtEnd()).toBe(0);
  expect(await stored(id)).toMatchObject({ status: 'done', answer: 'q', lease: null });

  const pipe = createPipe();
  one.answerer.script = pipe.script;
  const answer = retry(one, id);
  await until(() => one.answerer.asked.length === 2);
  const contact = { id: 'else', name: 'Else' };
  await store.models.records.updateOne({ _id: id }, { $set: { contact } });
  pipe.close();
  await answer;
  expect(readsAtEnd()).toBe(1);
  const { contact: kept } = await stored(id);
  expect(kept).toMatchObject(contact);
  reads.mockRestore();
});

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
    const both = [one, other].map(({ asking }) => asking.retry(owner, 'en', id, clientId));
    await Promise.all(holds.map(({ hasRead }) => hasRead));
    for (const { release } of holds) release();
    // Without a client id, a retry after the end of the answer is another one.
    const asked = await Promise.all(both);
    pipe.say('new');
    pipe.close();
    expect(await Promise.all(asked.map(textOf))).toEqual(['new', 'new']);
    expect(one.answerer.asked.length + other.answerer.asked.length).toBe(1);
  }
});

test('a retry answers again if the answering process has died, and joins the answer if it is alive', async () => {
  const [one, gone, alive] = [startProcess(), createThisProcess(), createThisProcess()];
  const unfinished = async (lease: ReturnType<typeof newLease>) => {
    const status = 'answering';
    const record = finishedRecord({ owner, question: 'q', answer: '', status, lease, stopRequested: true });
    await store.models.records.create(record);
    return record._id.toHexString();
  };
  const [left, held] = [await unfinished(newLease(gone)), await unfinished(newLease(alive))];
  gone.end();
  const pipe = createPipe();
  one.answerer.script = pipe.script;
  const retried = retry(one, left);
  // The earlier attempt was to be stopped, not this one.
  await until(async () => (await stored(left)).stopRequested === false);
  pipe.say('new');
  await until(async () => (await stored(left)).answer === 'new');
  pipe.close();
  expect(await retried).toBe('new');
  expect(await stored(left)).toMatchObject({ status: 'done' });
  expect(one.answerer.asked).toHaveLength(1);
  await one.asking.retry(owner, 'en', held);
  expect(one.answerer.asked).toHaveLength(1);
  alive.end();
});

test('a repeated question joins the answer that its process is still saving after an outage longer than the lease', async () => {
  const { answerer, asking, self } = startProcess();
  const { records } = store.models;
  const record = finishedRecord({ owner, status: 'failed', answer: '', clientId: 'saving', lease: null });
  await records.create(record);
  const pipe = createPipe();
  answerer.script = pipe.script;
  await asking.retry(owner, 'en', record._id.toHexString());
  await records.updateOne(
    { _id: record._id },
    { $set: { lease: { ...newLease(self), until: new Date(0) } } },
  );

  const joined = await asking.join(owner, 'saving', () => true);
  expect(answerer.asked).toHaveLength(1);
  pipe.say('whole');
  pipe.close();
  expect(await textOf(joined!)).toBe('whole');
});

test('a repeated question of a dead process completes what that process did not store beside it', async () => {
  const { answerer, asking } = startProcess();
  const { records, conversations } = store.models;
  const lease = { process: 'gone', host: 'elsewhere', pid: 1, until: new Date(0) };
  const record = finishedRecord({
    owner,
    status: 'answering',
    answer: '',
    begun: false,
    clientId: 'dead',
    lease,
  });
  await records.create(record);

  const joined = await asking.join(owner, 'dead', () => true);
  expect(await textOf(joined!)).toBe(record.question);
  expect(answerer.asked).toHaveLength(1);
  expect(await conversations.findById(record.conversationId).lean()).toMatchObject({ recordCount: 1 });
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

test('a stop is answered once the end of the answer is stored', async () => {
  const { records } = store.models;
  const one = startProcess();
  const id = await givenRecord();
  one.answerer.script = createPipe().script;
  await one.asking.retry(owner, 'en', id);
  const held = Promise.withResolvers<void>();
  const { updateOne } = records;
  const writes = jest
    .spyOn(records, 'updateOne')
    .mockImplementationOnce((...given) => held.promise.then(() => updateOne.apply(records, given)) as never);
  const stopped = one.asking.stop(owner, id);
  await until(() => writes.mock.calls.length === 1);
  // As long as a stop that does not wait would take.
  await one.asking.find(owner, id);
  held.resolve();
  expect(await stopped).toBe('stopped');
  expect(await stored(id)).toMatchObject({ status: 'stopped', lease: null });
  writes.mockRestore();
});

test('an answer renews its lease though its answerer is silent', async () => {
  const one = startProcess();
  const id = await givenRecord();
  const pipe = createPipe();
  one.answerer.script = pipe.script;
  await one.asking.retry(owner, 'en', id);
  const soon = new Date(Date.now() + 2000);
  await store.models.records.updateOne({ _id: id }, { $set: { 'lease.until': soon } });
  await until(async () => (await stored(id)).lease!.until > soon);
  pipe.close();
  await until(async () => (await stored(id)).status === 'done');
});

const rated: Partial<RecordDocument> = {
  feedback: { rating: 1, note: '' },
  answeredSince: { pairId: 'p', answer: 'a', at: new Date().toISOString() },
};
const unrated = { feedback: null, answeredSince: null };

test('the rating and the later answer of an answer are removed once another one begins to replace it', async () => {
  const one = startProcess();
  const id = await givenRecord(rated);
  const pipe = createPipe();
  one.answerer.script = pipe.script;
  await one.asking.retry(owner, 'en', id);
  expect(await stored(id)).toMatchObject({ answer: 'old', ...rated });
  pipe.say('new');
  await until(async () => (await stored(id)).feedback === null);
  await until(async () => (await stored(id)).answeredSince === null);
  expect(await stored(id)).toMatchObject({ status: 'answering', answer: 'new' });
  pipe.close();
  await until(async () => (await stored(id)).status === 'done');
});

test('an answer that is replaced at once, or not at all, has the rating that belongs to it', async () => {
  const one = startProcess();
  const id = await givenRecord(rated);
  expect(await retry(one, id)).toBe('q');
  expect(await stored(id)).toMatchObject({ status: 'done', answer: 'q', ...unrated });

  const kept = await givenRecord(rated);
  one.answerer.script = async function* () {
    yield* [];
    throw new Error('broken');
  };
  await retry(one, kept);
  expect(await stored(kept)).toMatchObject({ status: 'done', answer: 'old', ...rated });
});

test('readers in another process get the previous answer only if the retry ends without one', async () => {
  const [one, other] = [startProcess(), startProcess()];
  const id = await givenRecord();
  const pipe = createPipe();
  one.answerer.script = pipe.script;
  await one.asking.retry(owner, 'en', id);
  const pieces: string[] = [];
  const reading = (async () => {
    const asked = await other.asking.find(owner, id);
    for await (const progress of asked.follow(0, new AbortController().signal))
      pieces.push(progress.kind === 'text' ? progress.text : progress.kind);
  })();
  pipe.say('new');
  pipe.close();
  await reading;
  expect(pieces.join('')).toBe('newend');
});

test('two answers of one record in one process do not end each other', async () => {
  const self = createThisProcess();
  const { records } = store.models;
  const running = createRunningAnswers({ records, self, log: createLog('silent') });
  const id = await givenRecord({ status: 'answering', lease: newLease(self) });
  const { _id } = await stored(id);
  const [early, late] = [createPipe(), createPipe()];
  const begin = ({ script }: typeof early) => running.start(_id, (signal) => script({} as never, signal));
  const first = begin(early);
  const second = begin(late);
  early.close();
  await first.saved;
  expect(running.get(id)).toBe(second);
  late.close();
  await second.saved;
  expect(running.get(id)).toBeUndefined();
});

test('a shutdown abandons answers that the store does not accept, instead of waiting forever', async () => {
  const self = createThisProcess();
  const unavailable = new mongo.MongoNetworkError('connection closed');
  const records = new Proxy(store.models.records, {
    get: (target, name) =>
      name === 'findOne' || name === 'findOneAndUpdate'
        ? () => ({ lean: () => Promise.reject(unavailable) })
        : Reflect.get(target, name, target),
  });
  const running = createRunningAnswers({ records, self, log: createLog('silent') });
  const pipe = createPipe();
  running.start(finishedRecord({})._id, (signal) => pipe.script({} as never, signal));
  await running.drain(20);
  expect(pipe.isAborted).toBe(true);
});

test.each([
  ['while the disk is full', (answer: { ended: Promise<void> }) => answer.ended],
  ['when the server stops while the disk is full', (_: unknown, stop: () => Promise<void>) => stop()],
])('an answer that cannot be saved %s says so', async (_, end) => {
  const self = createThisProcess();
  const full = Object.assign(new mongo.MongoServerError({ message: 'No space left' }), { code: 14_031 });
  const records = new Proxy(store.models.records, {
    get: (target, name) =>
      name === 'findOne' || name === 'findOneAndUpdate'
        ? () => ({ lean: () => Promise.reject(full) })
        : Reflect.get(target, name, target),
  });
  const running = createRunningAnswers({ records, self, log: createLog('silent'), saveWithinMs: 20 });
  const pipe = createPipe();
  const answer = running.start(finishedRecord({})._id, (signal) => pipe.script({} as never, signal));
  pipe.say('said');
  pipe.close();
  await end(answer, () => running.drain(1));
  const ends = [];
  for await (const part of answer.log.follow(0, new AbortController().signal))
    if (part.kind === 'end') ends.push(part.outcome);
  expect(ends).toMatchObject([{ status: 'failed', answer: 'said', failure: { key: 'disk_full' } }]);
  await running.drain(1);
});

test('a reader of an answer whose record is purged meanwhile learns that it is gone', async () => {
  const [one, other] = [startProcess(), startProcess()];
  const id = await givenRecord();
  const pipe = createPipe();
  one.answerer.script = pipe.script;
  await one.asking.retry(owner, 'en', id);
  const asked = await other.asking.find(owner, id);
  const kinds: string[] = [];
  const reading = (async () => {
    for await (const { kind } of asked.follow(0, new AbortController().signal)) kinds.push(kind);
  })();
  await store.models.records.deleteOne({ _id: id });
  await reading;
  expect(kinds).not.toContain('end');
  pipe.close();
});
