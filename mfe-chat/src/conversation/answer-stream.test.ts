import { expect, jest, test } from '@jest/globals';
import { type Answer, createStandInServices, failure } from 'host/stand-ins';
import { Subject } from 'rxjs';
import { createEventSource, type EventSourceEnd } from '../testing/event-source.ts';
import { type AnswerDone, type AnswerRequest, type AnswerSignal, answerStream } from './answer-stream.ts';

const DONE: AnswerDone = {
  response: '退款已受理',
  recordId: 'r1',
  conversationId: 'c1',
  citations: [],
  source: 'document',
  status: 'done',
  suggestions: [],
};
const RECORD = { recordId: 'r1', conversationId: 'c1', clientId: 'k' };
const ASK: AnswerRequest = { kind: 'ask', question: { text: '退款', clientId: 'k' } };

/** Subscribes to a stream whose requests get `answers` in this order; the last one repeats. */
function listen(request: AnswerRequest, answers: Answer[], options: { idleTimeout?: number } = {}) {
  const { services, calls } = createStandInServices({
    answers: (call) => answers[Math.min(calls.length, answers.length) - 1]!(call),
  });
  const signals: AnswerSignal[] = [];
  const retryNow$ = new Subject<void>();
  let stop: () => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    const stream$ = answerStream(request, { http: services.http, retryNow$, retryDelays: [1], ...options });
    const listening = stream$.subscribe({
      next: (signal) => signals.push(signal),
      complete: resolve,
      error: reject,
    });
    stop = () => listening.unsubscribe();
  });
  const texts = () => signals.flatMap((signal) => (signal.kind === 'text' ? [signal.text] : []));
  return { calls, signals, ended, texts, retryNow$, stop: () => stop() };
}

function streams(count: number): [EventSourceEnd[], Answer[]] {
  const ends = Array.from({ length: count }, createEventSource);
  return [
    ends,
    ends.map(
      ({ stream }) =>
        () =>
          stream,
    ),
  ];
}

test('requests an event stream and emits the whole text so far with every delta', async () => {
  const [[end], answers] = streams(1);
  const result = listen(ASK, answers);
  end!.send('record', RECORD, 0);
  end!.send('delta', { text: '退款' }, 2);
  end!.send('delta', { text: '已受理' }, 5);
  end!.send('done', DONE, 5);
  end!.end();
  await result.ended;

  expect(result.calls[0]).toMatchObject({
    method: 'POST',
    url: '/api/chat',
    body: { text: '退款', clientId: 'k' },
    headers: { Accept: 'text/event-stream' },
  });
  expect(result.texts()).toEqual(['退款', '退款已受理']);
  expect(result.signals.at(-1)).toEqual({ kind: 'done', answer: DONE });
});

test.each([0, 1, 2, 3, 4, 5])('resumes at unit %i after the connection was cut there', async (cut) => {
  const [[first, second], answers] = streams(2);
  const result = listen(ASK, answers);
  first!.send('record', RECORD, 0);
  for (let unit = 1; unit <= cut; unit += 1) first!.send('delta', { text: DONE.response[unit - 1]! }, unit);
  await eventually(() => expect(result.signals).toHaveLength(1 + cut));
  first!.cut();
  await eventually(() => expect(result.calls).toHaveLength(2));
  if (cut < 5) second!.send('delta', { text: DONE.response.slice(cut) }, 5);
  second!.send('done', DONE, 5);
  second!.end();
  await result.ended;

  expect(result.calls[1]).toMatchObject({
    method: 'GET',
    url: '/api/chat/r1',
    headers: { 'Last-Event-ID': cut },
  });
  expect(result.texts().at(-1)).toBe(DONE.response);
  expect(result.signals.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['lost', 'back', 'done']));
});

test('ignores a delta that was already received', async () => {
  const [[end], answers] = streams(1);
  const result = listen({ kind: 'resume', recordId: 'r1', received: '退款' }, answers);
  end!.send('delta', { text: '退款已' }, 3);
  end!.send('delta', { text: '受理' }, 5);
  end!.send('done', DONE, 5);
  end!.end();
  await result.ended;
  expect(result.calls[0]).toMatchObject({ method: 'GET', headers: { 'Last-Event-ID': 2 } });
  expect(result.texts()).toEqual(['退款已', '退款已受理']);
});

test('requests the missing text again when there is a gap, instead of showing the gap', async () => {
  const [[first, second], answers] = streams(2);
  const result = listen({ kind: 'resume', recordId: 'r1', received: '' }, answers);
  first!.send('delta', { text: '受理' }, 5);
  await eventually(() => expect(result.calls).toHaveLength(2));
  second!.send('delta', { text: '退款已受理' }, 5);
  second!.send('done', DONE, 5);
  await result.ended;
  expect(result.texts()).toEqual(['退款已受理']);
});

const offline: Answer = () => {
  throw failure(0, 'offline', 'no network');
};

test.each<[string, AnswerRequest, string]>([
  ['question', ASK, '/api/chat'],
  ['retry', { kind: 'retry', recordId: 'r1', clientId: 'k' }, '/api/chat/r1/retry'],
])(
  'sends a %s with the same clientId until the server confirms it, then resumes the answer',
  async (_, request, url) => {
    const [[lost, second, third], answers] = streams(3);
    const result = listen(request, [offline, offline, offline, ...answers]);
    await eventually(() => expect(result.calls).toHaveLength(4));
    // The server may have received it: only the confirmation was lost.
    lost!.cut();
    await eventually(() => expect(result.calls).toHaveLength(5));
    second!.send('record', RECORD, 0);
    second!.send('delta', { text: '退款' }, 2);
    await eventually(() => expect(result.texts()).toEqual(['退款']));
    second!.cut();
    await eventually(() => expect(result.calls).toHaveLength(6));
    third!.send('done', DONE, 5);
    await result.ended;

    const sent = { method: 'POST', url, body: expect.objectContaining({ clientId: 'k' }) };
    expect(result.calls.slice(0, 5)).toMatchObject(Array(5).fill(sent));
    expect(result.calls[5]).toMatchObject({
      method: 'GET',
      url: '/api/chat/r1',
      headers: { 'Last-Event-ID': 2 },
    });
  },
);

test('stops after two failed uploads, but keeps trying while the browser is offline', async () => {
  const file = new File(['x'], 'x.txt');
  const isOnline = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const result = listen({ ...ASK, files: [file] }, [offline]);
  await eventually(() => expect(result.calls.length).toBeGreaterThan(3));
  isOnline.mockReturnValue(true);
  await expect(result.ended).rejects.toMatchObject({ error: 'offline' });
  isOnline.mockRestore();
});

test('does not retry after an error response', async () => {
  const result = listen(ASK, [
    () => {
      throw failure(429, 'rate_limited', 'too fast', 12);
    },
  ]);
  await expect(result.ended).rejects.toMatchObject({ status: 429, retryAfter: 12 });
  expect(result.calls).toHaveLength(1);
});

test('ends with the message of an error event', async () => {
  const [[end], answers] = streams(1);
  const result = listen(ASK, answers);
  end!.send('record', RECORD, 0);
  end!.send('delta', { text: '退款' }, 2);
  end!.send(
    'error',
    { code: 502, error: 'model_failed', msg: '模型没有响应', requestId: 'x', recordId: 'r1' },
    2,
  );
  end!.end();
  await expect(result.ended).rejects.toMatchObject({ error: 'model_failed', message: '模型没有响应' });
  expect(result.calls).toHaveLength(1);
});

test('treats a silent connection as lost', async () => {
  const [[, second], answers] = streams(2);
  const result = listen({ kind: 'resume', recordId: 'r1', received: '' }, answers, { idleTimeout: 20 });
  await eventually(() => expect(result.calls.length).toBeGreaterThan(1));
  second!.send('done', DONE, 5);
  await result.ended;
});

test('accepts a plain JSON answer where event streams are not supported', async () => {
  const { response, recordId, conversationId } = DONE;
  const result = listen(ASK, [() => ({ response, recordId, conversationId })]);
  await result.ended;
  expect(result.signals).toEqual([
    { kind: 'done', answer: expect.objectContaining({ response, status: 'done', citations: [] }) },
  ]);
});

test('retries a record with the retry request', async () => {
  const [[end], answers] = streams(1);
  const result = listen({ kind: 'retry', recordId: 'r1', clientId: 'k' }, answers);
  end!.send('done', DONE, 5);
  await result.ended;
  expect(result.calls[0]).toMatchObject({ method: 'POST', url: '/api/chat/r1/retry' });
});

test('closes the connection on unsubscribe', async () => {
  const [[end], answers] = streams(1);
  const result = listen(ASK, answers);
  end!.send('record', RECORD, 0);
  await eventually(() => expect(result.signals).toHaveLength(1));
  result.stop();
  expect(result.calls[0]!.signal!.aborted).toBe(true);
  end!.send('delta', { text: '退款' }, 2);
  await eventually(() => expect(end!.isCancelled()).toBe(true));
  expect(result.texts()).toEqual([]);
});

async function eventually(check: () => void): Promise<void> {
  for (let tries = 0; ; tries += 1)
    try {
      return check();
    } catch (reason) {
      if (tries > 400) throw reason;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
}
