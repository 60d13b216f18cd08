import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mongo } from 'mongoose';
import type { ChatAnswer } from '../contract/chat.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { DeskRecord, RecordPage } from '../contract/records.ts';
import { modelFailed } from '../errors/errors.ts';
import { createPipe, createScriptedAnswerer, echo, final } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, type SeenEvent, type Visitor } from '../testing/visitor.ts';

const answerer = createScriptedAnswerer();
let visitor: Visitor;

const api = await startTestApi({ answerer });
afterAll(() => api.end());
beforeEach(() => {
  answerer.script = echo;
  answerer.asked = [];
  visitor = createVisitor(api.url);
});

function ask(body: object, who = visitor) {
  return who.call<ChatAnswer>('POST', '/api/chat', body);
}

async function recordsOf(conversationId: string, who = visitor): Promise<DeskRecord[]> {
  const { body } = await who.call<RecordPage>('GET', `/api/conversations/${conversationId}/records`);
  return body.records;
}

async function collect(events: AsyncIterable<SeenEvent>): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

function joined(events: SeenEvent[]): string {
  return events.map((event) => (event.event === 'delta' ? event.data.text : '')).join('');
}

/** Reads the next event of an open stream. */
async function next(events: AsyncGenerator<SeenEvent>): Promise<SeenEvent> {
  const { value, done } = await events.next();
  if (done) throw new Error('the stream has ended');
  return value;
}

describe('POST /api/chat', () => {
  test('returns JSON with exactly the fields of the contract, and stores the record', async () => {
    const { status, body } = await ask({ text: '  how are you  ' });

    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'citations',
      'conversationId',
      'outcome',
      'recordId',
      'response',
      'source',
    ]);
    expect(body).toMatchObject({ response: 'how are you', source: 'document' });
    expect(body.citations).toEqual(final.kind === 'final' ? final.citations : []);
    const [record] = await recordsOf(body.conversationId);
    expect(record).toMatchObject({
      id: body.recordId,
      question: 'how are you',
      answer: 'how are you',
      status: 'done',
      kind: 'chat',
      contact: null,
      feedback: null,
    });
    expect(record?.answeredAt).not.toBeNull();
  });

  test('streams record, deltas and done, with ids that count UTF-16 units', async () => {
    const events = await collect(visitor.events('POST', '/api/chat', { text: '一 😀 two', clientId: 'c1' }));

    expect(events[0]).toMatchObject({
      event: 'record',
      id: 0,
      data: { clientId: 'c1', question: '一 😀 two', contact: null, files: [] },
    });
    const done = events.at(-1);
    expect(done).toMatchObject({
      event: 'done',
      id: 8,
      data: { response: '一 😀 two', status: 'done', suggestions: [] },
    });
    expect(joined(events)).toBe('一 😀 two');
    let units = 0;
    for (const event of events) {
      if (event.event === 'delta') units += event.data.text.length;
      expect(event.id).toBe(units);
    }
  });

  test('never splits a surrogate pair, however the answerer splits its text', async () => {
    answerer.script = async function* () {
      for (const text of ['a\ud83d', '\ude00b\ud83d', '\ude01']) yield { kind: 'text', text };
      yield final;
    };

    const events = await collect(visitor.events('POST', '/api/chat', { text: 'x' }));

    expect(joined(events)).toBe('a😀b😁');
    for (const event of events)
      if (event.event === 'delta') expect(event.data.text.isWellFormed()).toBe(true);
  });

  test('passes the previous turns to the answerer, oldest first, and nothing of other conversations', async () => {
    await ask({ text: 'elsewhere' });
    const first = await ask({ text: 'one' });
    await ask({ text: 'two', conversationId: first.body.conversationId });
    await ask({ text: 'three', conversationId: first.body.conversationId });

    expect(answerer.asked.at(-1)).toMatchObject({
      text: 'three',
      history: [
        { question: 'one', answer: 'one' },
        { question: 'two', answer: 'two' },
      ],
    });
  });

  test('a question that is asked alone is answered without the previous turns, also when it is answered again', async () => {
    const { body } = await ask({ text: 'one' });
    const alone = await ask({ text: 'two', conversationId: body.conversationId, isAlone: true });
    expect(answerer.asked.at(-1)).toMatchObject({ text: 'two', history: [] });
    await visitor.fetch('POST', `/api/chat/${alone.body.recordId}/retry`, {});
    expect(answerer.asked.at(-1)).toMatchObject({ text: 'two', history: [] });
  });

  test('failed and unfinished turns are not passed to the answerer, stopped ones are', async () => {
    const { body } = await ask({ text: 'one' });
    const { conversationId } = body;
    answerer.script = async function* () {
      yield { kind: 'text', text: 'half' };
      throw modelFailed();
    };
    expect((await ask({ text: 'failed', conversationId })).status).toBe(502);
    const pipe = createPipe();
    answerer.script = pipe.script;
    const stopped = visitor.events('POST', '/api/chat', { text: 'stopped', conversationId });
    const first = await next(stopped);
    pipe.say('so far');
    await next(stopped);
    if (first.event === 'record') await visitor.call('POST', `/api/chat/${first.data.recordId}/stop`);
    const unfinished = createPipe();
    answerer.script = unfinished.script;
    const open = visitor.events('POST', '/api/chat', { text: 'unfinished', conversationId });
    await next(open);
    unfinished.say('begun');
    await next(open);
    answerer.script = echo;
    await ask({ text: 'last', conversationId });
    unfinished.close();
    expect(answerer.asked.at(-1)?.history).toEqual([
      { question: 'one', answer: 'one' },
      { question: 'stopped', answer: 'so far' },
    ]);
  });

  test('passes the latest ten turns', async () => {
    const { conversationId } = (await ask({ text: '0' })).body;
    for (let count = 1; count <= 11; count += 1) await ask({ text: `${count}`, conversationId });
    expect(answerer.asked.at(-1)?.history.map(({ question }) => question)).toEqual(
      Array.from({ length: 10 }, (_, n) => `${n + 1}`),
    );
  });

  test('returns the same record for the same clientId, also concurrently', async () => {
    const first = await ask({ text: 'a b', clientId: 'k' });
    const again = await ask({ text: 'a b', clientId: 'k' });
    expect(again.body).toEqual(first.body);

    const many = await Promise.all(Array.from({ length: 8 }, () => ask({ text: 'same', clientId: 'm' })));
    expect(new Set(many.map((reply) => reply.body.recordId)).size).toBe(1);
    expect(answerer.asked.filter((question) => question.text === 'same')).toHaveLength(1);
  });

  test('refuses a clientId that was used with another text', async () => {
    await ask({ text: 'a', clientId: 'k' });
    const { status, body } = await visitor.call<ErrorBody>('POST', '/api/chat', { text: 'b', clientId: 'k' });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 409, error: 'conflict' });
  });

  test('returns 502 with the partial answer if the model fails midway, and stores that part', async () => {
    answerer.script = async function* () {
      yield { kind: 'text', text: 'half of' };
      throw modelFailed();
    };

    const { status, body } = await visitor.call<ErrorBody & ChatAnswer>('POST', '/api/chat', { text: 'q' });

    expect(status).toBe(502);
    expect(body).toMatchObject({ code: 502, error: 'model_failed', response: 'half of' });
    const [record] = await recordsOf(body.conversationId);
    expect(record).toMatchObject({ status: 'failed', answer: 'half of' });
  });

  test('answers a repeated question whose answer the store interrupted', async () => {
    answerer.script = async function* interrupted() {
      yield { kind: 'text', text: 'half of ' };
      throw new mongo.MongoNetworkError('the primary is gone');
    };
    const first = await visitor.call<ErrorBody>('POST', '/api/chat', { text: 'a b', clientId: 'k' });
    expect([first.status, first.body.error]).toEqual([503, 'unavailable']);

    answerer.script = echo;
    const { status, body } = await ask({ text: 'a b', clientId: 'k' });
    expect([status, body.response]).toEqual([200, 'a b']);
    const kept = await recordsOf(body.conversationId);
    expect(kept.map(({ answer, status }) => [answer, status])).toEqual([['a b', 'done']]);
  });

  test('answers a repeated question though the store interrupted more than one attempt, before their first word', async () => {
    answerer.script = () => {
      throw new mongo.MongoNetworkError('the primary is gone');
    };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { status, body } = await visitor.call<ErrorBody>('POST', '/api/chat', {
        text: 'a b',
        clientId: 'k',
      });
      expect([status, body.error]).toEqual([503, 'unavailable']);
    }
    answerer.script = echo;
    const { status, body } = await ask({ text: 'a b', clientId: 'k' });
    expect([status, body.response]).toEqual([200, 'a b']);
  });

  test('fails again if a failed question is repeated with its clientId', async () => {
    answerer.script = async function* () {
      yield { kind: 'text', text: 'half' };
      throw modelFailed();
    };
    const first = await visitor.call('POST', '/api/chat', { text: 'q', clientId: 'k' });
    const again = await visitor.call('POST', '/api/chat', { text: 'q', clientId: 'k' });
    expect([again.status, again.body.recordId, again.body.response]).toEqual([
      502,
      first.body.recordId,
      'half',
    ]);
    const events = await collect(visitor.events('POST', '/api/chat', { text: 'q', clientId: 'k' }));
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { status: 'failed', response: 'half' } });
  });

  test('sends a failure as an event once the stream has begun', async () => {
    answerer.script = async function* () {
      yield { kind: 'text', text: 'half' };
      throw modelFailed();
    };
    const events = await collect(visitor.events('POST', '/api/chat', { text: 'q' }));
    expect(events.map((event) => event.event)).toEqual(['record', 'delta', 'error']);
    expect(events.at(-1)).toMatchObject({
      id: 4,
      data: { code: 502, error: 'model_failed', recordId: expect.any(String) },
    });
  });

  test('returns failures before the first event as JSON', async () => {
    const response = await visitor.fetch('POST', '/api/chat', {
      headers: { Accept: 'text/event-stream', 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: '   ' }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request', field: 'text' });
  });
});

describe('an answer and its readers', () => {
  test('continues without readers, and can be resumed at the exact position', async () => {
    const pipe = createPipe();
    answerer.script = pipe.script;
    const stream = visitor.events('POST', '/api/chat', { text: 'q' });
    const record = await next(stream);
    if (record.event !== 'record') throw new Error('expected the record first');
    pipe.say('一二😀');
    expect((await next(stream)).id).toBe(4);
    await stream.return(undefined);
    pipe.say('three');
    pipe.close();

    const rest = await collect(
      visitor.events('GET', `/api/chat/${record.data.recordId}`, undefined, { 'Last-Event-ID': '2' }),
    );

    expect(joined(rest)).toBe('😀three');
    expect(rest[0]).toMatchObject({ event: 'record', id: 2 });
    expect(rest.at(-1)).toMatchObject({
      event: 'done',
      id: 9,
      data: { response: '一二😀three', status: 'done' },
    });
    expect(pipe.isAborted).toBe(false);
  });

  test('resumes a finished answer at any position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
        fc.nat(40),
        async (pieces, cut) => {
          answerer.script = async function* () {
            for (const text of pieces) yield { kind: 'text', text };
            yield final;
          };
          const whole = pieces.join('');
          const { body } = await ask({ text: 'q' });
          const at = Math.min(cut, whole.length);
          const path = `/api/chat/${body.recordId}`;
          const rest = await collect(visitor.events('GET', path, undefined, { 'Last-Event-ID': String(at) }));
          expect(joined(rest)).toBe(whole.slice(at));
          expect(rest.at(-1)?.id).toBe(whole.length);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('sends a long answer in parts that split no character', async () => {
    const whole = `x${'😀'.repeat(20_000)}`;
    answerer.script = async function* () {
      yield { kind: 'text', text: whole };
      yield final;
    };
    const { body } = await ask({ text: 'q' });
    const events = await collect(visitor.events('GET', `/api/chat/${body.recordId}`));
    const deltas = events.flatMap((event) => (event.event === 'delta' ? [event.data.text] : []));
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.every((text) => text.isWellFormed())).toBe(true);
    expect(deltas.join('')).toBe(whole);
    expect(events.at(-1)?.id).toBe(whole.length);
  });

  test('resumes a growing answer at any position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 2, maxLength: 20 }),
        fc.nat(20),
        fc.nat(20),
        async (whole, said, cut) => {
          const pipe = createPipe();
          answerer.script = pipe.script;
          const stream = visitor.events('POST', '/api/chat', { text: 'q' });
          const record = await next(stream);
          if (record.event !== 'record') throw new Error('expected the record first');
          const characters = [...whole];
          pipe.say(characters.slice(0, said).join(''));
          const resumed = visitor.events('GET', `/api/chat/${record.data.recordId}`, undefined, {
            'Last-Event-ID': String(Math.min(cut, whole.length)),
          });
          const first = await next(resumed);
          pipe.say(characters.slice(said).join(''));
          pipe.close();
          const rest = [first, ...(await collect(resumed))];
          expect(joined(rest)).toBe(whole.slice(cut));
          expect(joined(await collect(stream))).toBe(whole);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('stops for every reader and keeps the text so far', async () => {
    const pipe = createPipe();
    answerer.script = pipe.script;
    const stream = visitor.events('POST', '/api/chat', { text: 'q' });
    const record = await next(stream);
    if (record.event !== 'record') throw new Error('expected the record first');
    pipe.say('so far');
    await next(stream);
    const other = visitor.events('GET', `/api/chat/${record.data.recordId}`);
    await next(other);

    const stopped = await visitor.call('POST', `/api/chat/${record.data.recordId}/stop`);

    expect(stopped).toMatchObject({ status: 200, body: { status: 'stopped' } });
    for (const events of [await collect(stream), await collect(other)]) {
      expect(events.at(-1)).toMatchObject({ event: 'done', data: { status: 'stopped', response: 'so far' } });
    }
    expect(pipe.isAborted).toBe(true);
    const [kept] = await recordsOf(record.data.conversationId);
    expect(kept).toMatchObject({ status: 'stopped', answer: 'so far' });
    const again = await visitor.call('POST', `/api/chat/${record.data.recordId}/stop`);
    expect(again).toMatchObject({ status: 200, body: { status: 'stopped' } });
  });

  test('stops an answerer that ignores its signal', async () => {
    answerer.script = async function* () {
      yield { kind: 'text', text: 'said' };
      await new Promise(() => undefined);
    };
    const stream = visitor.events('POST', '/api/chat', { text: 'q' });
    const record = await next(stream);
    if (record.event !== 'record') throw new Error('expected the record first');
    await next(stream);
    const { body } = await visitor.call('POST', `/api/chat/${record.data.recordId}/stop`);
    expect(body).toMatchObject({ status: 'stopped' });
  });

  test('a retry answers again, and shows the old answer until it begins', async () => {
    const { body } = await ask({ text: 'q' });
    const pipe = createPipe();
    answerer.script = pipe.script;
    const stream = visitor.events('POST', `/api/chat/${body.recordId}/retry`);
    expect(await next(stream)).toMatchObject({ event: 'record', id: 0 });
    expect((await recordsOf(body.conversationId))[0]).toMatchObject({ status: 'answering', answer: 'q' });
    pipe.say('better');
    pipe.close();
    const events = await collect(stream);
    expect(joined(events)).toBe('better');
    expect((await recordsOf(body.conversationId))[0]).toMatchObject({
      id: body.recordId,
      status: 'done',
      answer: 'better',
    });
  });

  test('a repeated retry with the same clientId joins the first one, during and after its answer', async () => {
    const { body } = await ask({ text: 'q' });
    const pipe = createPipe();
    answerer.script = pipe.script;
    const retry = (clientId: string) =>
      visitor.events('POST', `/api/chat/${body.recordId}/retry`, { clientId });
    const first = retry('k1');
    expect(await next(first)).toMatchObject({ event: 'record' });
    const during = retry('k1');
    pipe.say('better');
    pipe.close();
    expect(joined(await collect(first))).toBe('better');
    expect(joined(await collect(during))).toBe('better');

    answerer.script = echo;
    const asked = answerer.asked.length;
    expect(joined(await collect(retry('k1')))).toBe('better');
    expect(answerer.asked).toHaveLength(asked);
    expect(joined(await collect(retry('k2')))).toBe('q');
    expect(answerer.asked).toHaveLength(asked + 1);
    const { status } = await visitor.call('POST', `/api/chat/${body.recordId}/retry`, { clientId: '' });
    expect(status).toBe(400);
  });

  test('stores when the attempt that produced the answer began', async () => {
    const { body } = await ask({ text: 'q' });
    const [first] = await recordsOf(body.conversationId);
    expect(first!.createdAt <= first!.answerStartedAt!).toBe(true);
    answerer.script = async function* () {
      yield* [];
      throw modelFailed();
    };
    await visitor.call('POST', `/api/chat/${body.recordId}/retry`);
    expect((await recordsOf(body.conversationId))[0]!.answerStartedAt).toBe(first!.answerStartedAt);

    answerer.script = echo;
    await visitor.call('POST', `/api/chat/${body.recordId}/retry`);
    const [retried] = await recordsOf(body.conversationId);
    expect(retried!.answerStartedAt! >= first!.answeredAt!).toBe(true);
    expect(retried!.answerStartedAt! <= retried!.answeredAt!).toBe(true);
  });

  test('keeps the old answer if a retry fails before it begins', async () => {
    const { body } = await ask({ text: 'q' });
    answerer.script = async function* () {
      yield* [];
      throw modelFailed();
    };
    const retried = await visitor.call('POST', `/api/chat/${body.recordId}/retry`);
    expect(retried.status).toBe(502);
    expect((await recordsOf(body.conversationId))[0]).toMatchObject({
      status: 'done',
      answer: 'q',
      source: 'document',
    });
  });
});

test('ids of records and conversations cannot be guessed from one another', async () => {
  const asked = [await ask({ text: 'q' }), await ask({ text: 'q' }), await ask({ text: 'q' })];
  const ids = asked.flatMap(({ body }) => [body.recordId, body.conversationId]);
  const random = new Set(ids.map((id) => id.slice(8, 18)));
  expect(random.size).toBe(ids.length);
});

describe('ownership of answers', () => {
  test('others cannot read, stop, retry or extend them', async () => {
    const { body } = await ask({ text: 'secret' });
    const other = createVisitor(api.url);
    await other.call('GET', '/api/conversations');
    const paths: [string, string, unknown?][] = [
      ['GET', `/api/chat/${body.recordId}`],
      ['POST', `/api/chat/${body.recordId}/stop`],
      ['POST', `/api/chat/${body.recordId}/retry`],
      ['POST', '/api/chat', { text: 'x', conversationId: body.conversationId }],
      ['GET', `/api/conversations/${body.conversationId}/records`],
      ['PATCH', `/api/conversations/${body.conversationId}`, { title: 'mine' }],
      ['DELETE', `/api/conversations/${body.conversationId}`],
    ];
    for (const [method, path, json] of paths) {
      const reply = await other.call<ErrorBody>(method, path, json);
      expect([method, path, reply.status, reply.body.error]).toEqual([method, path, 404, 'not_found']);
    }
    expect((await recordsOf(body.conversationId))[0]?.question).toBe('secret');
  });

  test.each([['document'], ['f'.repeat(24)], ['__proto__'], ['\0']])(
    'the conversation %j is not found',
    async (conversationId) => {
      const reply = await visitor.call<ErrorBody>('POST', '/api/chat', { text: 'x', conversationId });
      expect([reply.status, reply.body.error]).toEqual([404, 'not_found']);
    },
  );

  test('different owners may use the same clientId', async () => {
    const other = createVisitor(api.url);
    const mine = await ask({ text: 'a', clientId: 'k' });
    const theirs = await ask({ text: 'b', clientId: 'k' }, other);
    expect(theirs.status).toBe(200);
    expect(theirs.body.recordId).not.toBe(mine.body.recordId);
  });
});
