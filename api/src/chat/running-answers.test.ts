import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { ChatAnswer } from '../contract/chat.ts';
import type { RecordPage } from '../contract/records.ts';
import { createLog } from '../http/create-log.ts';
import { createThisProcess, isDead, newLease } from '../store/process-lease.ts';
import { finishedRecord, openTestModels, openTestStore } from '../testing/open-test-models.ts';
import { createPipe, createScriptedAnswerer, echo } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { createVisitor, type SeenEvent, type Visitor } from '../testing/visitor.ts';
import { createRunningAnswers } from './running-answers.ts';

const answerer = createScriptedAnswerer();

// Two API processes on one store; each considers the other one to be on another machine.
const dataDir = await temporaryFolder('desk-two');
const store = await openTestDatabase(dataDir);
const [one, other] = await Promise.all([start(), start()]);
afterAll(async () => {
  await one.end();
  await other.end();
  await store.close();
  await removeTestData(dataDir);
});

let visitor: Visitor;
let there: Visitor;
beforeEach(async () => {
  answerer.script = echo;
  visitor = createVisitor(one.url);
  await visitor.call('GET', '/api/conversations');
  there = createVisitor(other.url);
  there.cookies = visitor.cookies;
});

const open: TestApi[] = [];
afterEach(async () => {
  for (const api of open.splice(0)) await api.end();
});

function start(): Promise<TestApi> {
  return startTestApi({ answerer, config: { mongodbUri: store.uri }, dataDir });
}

async function begin(who: Visitor, text: string) {
  const pipe = createPipe();
  answerer.script = pipe.script;
  const stream = who.events('POST', '/api/chat', { text });
  const record = (await stream.next()).value;
  if (record?.event !== 'record') throw new Error('expected the record first');
  return { pipe, stream, ...record.data };
}

async function collect(events: AsyncIterable<SeenEvent>): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

function joined(events: SeenEvent[]): string {
  return events.map((event) => (event.event === 'delta' ? event.data.text : '')).join('');
}

test('an answer is followed from another process, at the exact position', async () => {
  const { pipe, stream, recordId } = await begin(visitor, 'q');
  pipe.say('one 😀 ');
  await stream.next();
  const resumed = there.events('GET', `/api/chat/${recordId}`, undefined, { 'Last-Event-ID': '4' });
  await resumed.next();
  expect((await resumed.next()).value).toMatchObject({ event: 'delta', id: 7, data: { text: '😀 ' } });
  pipe.say('two');
  pipe.close();
  const rest = await collect(resumed);
  expect(joined(rest)).toBe('two');
  expect(rest.at(-1)).toMatchObject({
    event: 'done',
    id: 10,
    data: { response: 'one 😀 two', status: 'done' },
  });
});

test('reasoning is followed from another process before the answer begins', async () => {
  const pipe = createPipe();
  answerer.script = async function* (question, signal) {
    yield { kind: 'reasoning', text: '想一想。' };
    yield* pipe.script(question, signal);
  };
  const stream = visitor.events('POST', '/api/chat', { text: 'q' });
  const { recordId } = (await stream.next()).value!.data as { recordId: string };
  const followed = there.events('GET', `/api/chat/${recordId}`);
  await followed.next();
  expect((await followed.next()).value).toMatchObject({
    event: 'reasoning',
    id: 0,
    data: { text: '想一想。' },
  });
  pipe.say('好。');
  pipe.close();
  expect((await collect(followed)).map(({ event }) => event)).toEqual(['delta', 'done']);
  await collect(stream);
});

test('an answer is stopped from another process', async () => {
  const { pipe, stream, recordId } = await begin(visitor, 'q');
  pipe.say('so far');
  await stream.next();
  const stopped = await there.call('POST', `/api/chat/${recordId}/stop`);
  expect(stopped.body).toEqual({ recordId, status: 'stopped' });
  expect((await collect(stream)).at(-1)).toMatchObject({
    event: 'done',
    data: { status: 'stopped', response: 'so far' },
  });
});

test('a question repeated in another process joins the record', async () => {
  const first = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: 'a b', clientId: 'x' });
  const again = await there.call<ChatAnswer>('POST', '/api/chat', { text: 'a b', clientId: 'x' });
  expect(again.body).toEqual(first.body);
});

test('the answer of a dead process is failed, with the text so far, once its lease has expired', async () => {
  const { body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: 'what was said' });
  const direct = await openTestStore({ mongodbUri: store.uri, dataDir });
  try {
    const lease = { process: 'gone', host: 'elsewhere', pid: 1, until: new Date(Date.now() + 500) };
    await direct.models.records.updateOne(
      { _id: new Types.ObjectId(body.recordId) },
      { $set: { status: 'answering', begun: true, lease } },
    );
  } finally {
    await direct.close();
  }
  const events = await collect(there.events('GET', `/api/chat/${body.recordId}`));
  expect(joined(events)).toBe('what was said');
  expect(events.at(-1)).toMatchObject({ event: 'error', data: { error: 'model_failed' } });
  const { records } = (
    await visitor.call<RecordPage>('GET', `/api/conversations/${body.conversationId}/records`)
  ).body;
  expect(records[0]).toMatchObject({ status: 'failed', answer: 'what was said' });
});

test.each([
  ['ended by another process', 0],
  ['not yet noticed', -60_000],
])('a repeated question whose process died is answered again, once: %s', async (_name, until) => {
  const question = { text: `what was asked ${until}`, clientId: `repeated ${until}` };
  const { body } = await visitor.call<ChatAnswer>('POST', '/api/chat', question);
  const direct = await openTestStore({ mongodbUri: store.uri, dataDir });
  try {
    const lease = { process: 'gone', host: 'elsewhere', pid: 1, until: new Date(Date.now() + until) };
    const left = { status: 'answering', answer: 'half', begun: true, answeredAt: null, lease };
    await direct.models.records.updateOne({ _id: new Types.ObjectId(body.recordId) }, { $set: left });
  } finally {
    await direct.close();
  }
  if (until === 0) await collect(there.events('GET', `/api/chat/${body.recordId}`));
  let answers = 0;
  answerer.script = async function* (asked) {
    answers += 1;
    yield* echo(asked);
  };

  const again = await Promise.all(
    [visitor, there, visitor].map((who) => who.call<ChatAnswer>('POST', '/api/chat', question)),
  );

  for (const { status, body: repeated } of again)
    expect({ status, id: repeated.recordId, response: repeated.response }).toEqual({
      status: 200,
      id: body.recordId,
      response: body.response,
    });
  expect(answers).toBe(1);
});

test('answers of dead processes on this machine are failed at the next start, those of live ones are not', async () => {
  const living = await begin(visitor, 'living');
  living.pipe.say('still here');
  await living.stream.next();
  const direct = await openTestStore({ mongodbUri: store.uri, dataDir });
  const recordId = new Types.ObjectId();
  try {
    const alive = await direct.models.records.findById(living.recordId).lean();
    // The pid exists, but the process id does not match: the pid was reused after a restart.
    const lease = { ...alive?.lease, process: 'of before', until: new Date(Date.now() + 60_000) };
    const dead = { ...alive, _id: recordId, answer: 'was said', begun: true, lease };
    await direct.models.records.create(dead);
    open.push(await start());
    expect(await direct.models.records.findById(recordId).lean()).toMatchObject({
      status: 'failed',
      answer: 'was said',
    });
  } finally {
    await direct.close();
  }
  living.pipe.close();
  expect((await collect(living.stream)).at(-1)).toMatchObject({ event: 'done', data: { status: 'done' } });
});

test('a server that stops lets running answers complete', async () => {
  const api = await start();
  const guest = createVisitor(api.url);
  const { pipe, stream } = await begin(guest, 'q');
  pipe.say('first ');
  await stream.next();
  const closed = api.end();
  pipe.say('last');
  pipe.close();
  const rest = await collect(stream);
  await closed;
  expect(rest.at(-1)).toMatchObject({ event: 'done', data: { response: 'first last', status: 'done' } });
  await expect(fetch(`${api.url}/healthz`)).rejects.toThrow();
});

test('an answer that does not complete is interrupted when its server stops, with the text so far', async () => {
  const opened = await openTestModels();
  const self = createThisProcess();
  try {
    const { records } = opened.models;
    const running = createRunningAnswers({ records, self, log: createLog('silent') });
    const record = finishedRecord({ status: 'answering', answer: '', lease: newLease(self) });
    await records.create(record);
    const endless = running.start(record._id, async function* (signal) {
      yield { kind: 'text', text: 'said so far' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });

    await running.drain(10);

    await endless.saved;
    expect(await records.findById(record._id).lean()).toMatchObject({
      status: 'failed',
      answer: 'said so far',
      lease: null,
    });
  } finally {
    self.end();
    await opened.end();
  }
});

test('the lease of a growing answer is renewed by the clock of the database', async () => {
  const opened = await openTestModels();
  // The database is an hour ahead of this machine.
  const self = createThisProcess(() => Date.now() + 3_600_000);
  try {
    const { records } = opened.models;
    const running = createRunningAnswers({ records, self, log: createLog('silent') });
    const record = finishedRecord({ status: 'answering', answer: '', lease: newLease(self) });
    await records.create(record);
    running.start(record._id, async function* (signal) {
      yield { kind: 'text', text: 'said so far' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const saved = await until(async () => {
      const now = await records.findById(record._id).lean();
      return now?.answer === 'said so far' && now;
    });
    expect(isDead(saved.lease, self)).toBe(false);
    await running.drain(10);
  } finally {
    self.end();
    await opened.end();
  }
});

const cited = { title: 'Handbook', quote: 'Say it.', start: 3, end: 10, href: '/api/passages/p1' };

test.each(['stopped', 'failed'] as const)(
  'an answer that is %s keeps the citations it shows',
  async (status) => {
    const { pipe, stream, recordId, conversationId } = await begin(visitor, 'q');
    pipe.say('said [1] ', [cited]);
    await stream.next();
    if (status === 'stopped') await there.call('POST', `/api/chat/${recordId}/stop`);
    else pipe.fail(new Error('cut'));
    const last = (await collect(stream)).at(-1);
    expect(last).toMatchObject(
      status === 'stopped'
        ? { event: 'done', data: { status, citations: [cited] } }
        : { event: 'error', data: { error: 'internal' } },
    );
    const { body } = await there.call<RecordPage>('GET', `/api/conversations/${conversationId}/records`);
    expect(body.records[0]).toMatchObject({ status, answer: 'said [1] ', citations: [cited] });
  },
);

test('an unavailable store during retrieval is reported as an outage, in JSON and as an event', async () => {
  answerer.script = async function* () {
    yield { kind: 'text', text: 'said ' };
    throw Object.assign(new Error('cut'), { name: 'MongoNetworkError' });
  };
  const reply = await visitor.call('POST', '/api/chat', { text: 'q' });
  expect(reply.status).toBe(503);
  expect(reply.headers.get('Retry-After')).not.toBeNull();
  expect(reply.body).toMatchObject({ error: 'unavailable', response: 'said ' });
  const last = (await collect(visitor.events('POST', '/api/chat', { text: 'q' }))).at(-1);
  expect(last).toMatchObject({ event: 'error', data: { code: 503, error: 'unavailable' } });
});
