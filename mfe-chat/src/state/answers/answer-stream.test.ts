import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Answer, createStandInServices, failure } from 'host/stand-ins';
import { Subject } from 'rxjs';
import { createEventSource, type EventSourceEnd } from '../../testing/event-source.ts';
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

/** Subscribes to a stream whose requests get `answers` in this order; the last one repeats. By default it waits 1 ms between attempts. */
function listen(
  request: AnswerRequest,
  answers: Answer[],
  { hasOwnPauses = false, ...options }: { idleTimeout?: number; hasOwnPauses?: boolean } = {},
) {
  const { services, calls } = createStandInServices({
    answers: (call) => answers[Math.min(calls.length, answers.length) - 1]!(call),
  });
  const signals: AnswerSignal[] = [];
  const retryNow$ = new Subject<void>();
  let stop: () => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    const pauses = hasOwnPauses ? {} : { retryDelays: [1] };
    const stream$ = answerStream(request, { http: services.http, retryNow$, ...pauses, ...options });
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
  const kinds = result.signals.map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['lost', 'back', 'done']));
  expect(kinds.filter((kind) => kind === 'back')).toHaveLength(1);
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

test('a question whose files are being read is not confirmed: it is sent again', async () => {
  const [[first, second], answers] = streams(2);
  const result = listen(ASK, answers);
  first!.send('reading', { file: 1, files: 1, name: 'a.pdf', done: 0, total: 9 }, 0);
  await eventually(() => expect(result.signals).toHaveLength(1));
  first!.cut();
  await eventually(() => expect(result.calls).toHaveLength(2));
  second!.send('done', DONE, 5);
  await result.ended;
  expect(result.calls[1]).toMatchObject({ method: 'POST', url: '/api/chat' });
});

test('a connection with data counts as lost only 40 seconds after the last of it', async () => {
  jest.useFakeTimers();
  const [[first], answers] = streams(2);
  const result = listen(ASK, answers);
  await jest.advanceTimersByTimeAsync(0);
  for (let beats = 0; beats < 3; beats += 1) {
    await jest.advanceTimersByTimeAsync(39_000);
    first!.comment();
  }
  await jest.advanceTimersByTimeAsync(39_999);
  expect(result.calls).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(result.calls).toHaveLength(2);
  result.stop();
  jest.useRealTimers();
});

describe('the pause before a lost connection is opened again', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Listens with the default pauses. `pauses` are the announced ones, in milliseconds. */
  function begin(answers: Answer[]) {
    const result = listen(ASK, answers, { hasOwnPauses: true });
    const lost = () => result.signals.flatMap((signal) => (signal.kind === 'lost' ? [signal.retryAt] : []));
    /** Waits for the end of an announced pause, checks that nothing is sent before, and returns its length. */
    const wait = async () => {
      await jest.advanceTimersByTimeAsync(0);
      const pause = lost().at(-1)! - Date.now();
      const sent = result.calls.length;
      await jest.advanceTimersByTimeAsync(pause - 1);
      expect(result.calls).toHaveLength(sent);
      await jest.advanceTimersByTimeAsync(1);
      expect(result.calls).toHaveLength(sent + 1);
      return pause;
    };
    return { ...result, wait };
  }

  test('grows to 15 seconds, and starts again at its first value after text has arrived', async () => {
    const end = createEventSource();
    const failing = Array.from({ length: 8 }, () => offline);
    const { wait, texts, stop } = begin([...failing, () => end.stream, offline]);

    const pauses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) pauses.push(await wait());
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);

    end.send('record', RECORD, 0);
    end.send('delta', { text: '退款' }, 2);
    await jest.advanceTimersByTimeAsync(0);
    expect(texts()).toEqual(['退款']);
    end.cut();
    expect([await wait(), await wait()]).toEqual([500, 1000]);
    stop();
  });

  test('is as long as an overloaded server asks for', async () => {
    const { wait, stop } = begin([
      () => {
        throw failure(503, 'unavailable', '服务器忙', 7);
      },
    ]);
    expect(await wait()).toBe(7000);
    stop();
  });

  test.each<[string, (result: { retryNow$: Subject<void> }) => unknown]>([
    ['the visitor asks for it', ({ retryNow$ }) => retryNow$.next()],
    ['the browser is online again', () => window.dispatchEvent(new Event('online'))],
  ])('ends when %s', async (_, end) => {
    const result = begin([offline]);
    await jest.advanceTimersByTimeAsync(0);
    expect(result.calls).toHaveLength(1);
    end(result);
    await jest.advanceTimersByTimeAsync(0);
    expect(result.calls).toHaveLength(2);
    result.stop();
  });

  test('has no timer and no request after the last subscriber has left', async () => {
    const { calls, stop } = begin([offline]);
    await jest.advanceTimersByTimeAsync(0);
    stop();
    await jest.advanceTimersByTimeAsync(0);
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
  });
});

test.each([502, 503, 504])('tries again after status %i of a gateway', async (status) => {
  const [[end], answers] = streams(1);
  const result = listen(ASK, [
    () => {
      throw failure(status, 'unavailable', 'gateway');
    },
    ...answers,
  ]);
  await eventually(() => expect(result.calls).toHaveLength(2));
  end!.send('done', DONE, 5);
  await result.ended;
});

test.each([400, 404, 409, 500])('does not try again after status %i', async (status) => {
  const result = listen(ASK, [
    () => {
      throw failure(status, 'refused', 'refused');
    },
  ]);
  await expect(result.ended).rejects.toMatchObject({ status });
  expect(result.calls).toHaveLength(1);
});

test('reasoning that is sent again after a lost connection replaces what was there', async () => {
  const [[first, second], answers] = streams(2);
  const result = listen(ASK, answers);
  const reasonings = () => result.signals.flatMap((one) => (one.kind === 'reasoning' ? [one.text] : []));
  first!.send('record', RECORD, 0);
  first!.send('reasoning', { text: 'a' }, 0);
  first!.send('reasoning', { text: 'b' }, 0);
  await eventually(() => expect(reasonings()).toEqual(['a', 'ab']));
  first!.cut();
  await eventually(() => expect(result.calls).toHaveLength(2));
  second!.send('reasoning', { text: 'ab' }, 0);
  second!.send('reasoning', { text: 'c' }, 0);
  second!.send('done', DONE, 5);
  await result.ended;
  expect(reasonings()).toEqual(['a', 'ab', 'ab', 'abc']);
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
