import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { followEvents } from './follow-events.ts';

const encoder = new TextEncoder();

beforeEach(() => {
  jest.useFakeTimers();
  // Pauses without jitter.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(async () => {
  for (const { end, done } of running.splice(0)) {
    end.abort();
    await done;
  }
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** The streams that are followed, which end after each test. */
const running: { end: AbortController; done: Promise<void> }[] = [];

const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms);

/** Streams that a test feeds, one per request. */
function createStreams() {
  const opened: ReadableStreamDefaultController<Uint8Array>[] = [];
  let failure: unknown;
  return {
    open: async () => {
      if (failure) throw failure;
      return new ReadableStream<Uint8Array>({ start: (controller) => void opened.push(controller) });
    },
    opened,
    fail: (status: number | null) => {
      failure = status === null ? undefined : Object.assign(new Error('refused'), { status });
    },
    send: (text: string) => opened.at(-1)?.enqueue(encoder.encode(text)),
  };
}

function follow(streams: ReturnType<typeof createStreams>, end = new AbortController()) {
  const events: string[] = [];
  const connections: boolean[] = [];
  const done = followEvents(
    {
      open: streams.open,
      onEvent: ({ event, data }) => events.push(`${event} ${data}`),
      onConnection: (is) => connections.push(is),
    },
    end.signal,
  );
  running.push({ end, done });
  return { events, connections, end, done };
}

test('passes on the events of a stream, whatever its chunks', async () => {
  const streams = createStreams();
  const { events, connections } = follow(streams);
  await pass();
  streams.send(': connected\n\nevent: inb');
  streams.send('ox\ndata: {"open":1}\n\n');
  await pass();
  expect(events).toEqual(['inbox {"open":1}']);
  expect(connections).toEqual([true]);
});

test('opens a lost stream again, with a growing pause while it fails', async () => {
  const streams = createStreams();
  const { connections } = follow(streams);
  await pass();
  streams.send(': connected\n\n');
  await pass();
  streams.fail(503);
  streams.opened[0]?.close();
  await pass(1300);
  expect(connections).toEqual([true, false, false]);
  streams.fail(null);
  await pass(1300);
  expect(streams.opened).toHaveLength(1);
  await pass(1300);
  expect(streams.opened).toHaveLength(2);
});

test('tries at least once a minute, however long the stream has failed', async () => {
  const streams = createStreams();
  streams.fail(503);
  follow(streams);
  await pass(600_000);
  streams.fail(null);
  await pass(60_000);
  expect(streams.opened).toHaveLength(1);
});

test('a stream without heartbeats counts as lost', async () => {
  const streams = createStreams();
  follow(streams);
  await pass();
  streams.send(': connected\n\n');
  await pass(47_000);
  expect(streams.opened).toHaveLength(2);
});

test('opens the stream at once when the browser is online again', async () => {
  const streams = createStreams();
  streams.fail(0);
  follow(streams);
  await pass(100);
  streams.fail(null);
  window.dispatchEvent(new Event('online'));
  await pass();
  expect(streams.opened).toHaveLength(1);
});

test('opens the stream at once when the page becomes visible, but not when it becomes hidden', async () => {
  const isVisible = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const streams = createStreams();
  streams.fail(0);
  follow(streams);
  await pass(100);
  streams.fail(null);
  document.dispatchEvent(new Event('visibilitychange'));
  await pass();
  expect(streams.opened).toHaveLength(0);

  isVisible.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await pass();
  expect(streams.opened).toHaveLength(1);
});

test('the pause starts at its first value again after data was received', async () => {
  const streams = createStreams();
  streams.fail(503);
  follow(streams);
  await pass(20_000);
  streams.fail(null);
  await pass(20_000);
  expect(streams.opened).toHaveLength(1);
  streams.send(': connected\n\n');
  await pass();
  streams.opened[0]?.close();
  await pass(999);
  expect(streams.opened).toHaveLength(1);
  await pass(1);
  expect(streams.opened).toHaveLength(2);
});

test('tabs that lost the same server reconnect at different times within half the pause', async () => {
  const begins = async (random: number, ms: number) => {
    jest.spyOn(Math, 'random').mockReturnValue(random);
    const streams = createStreams();
    streams.fail(503);
    const { end, done } = follow(streams);
    await pass();
    streams.fail(null);
    await pass(ms);
    end.abort();
    await done;
    return streams.opened.length;
  };
  expect([await begins(0, 1499), await begins(0, 1500)]).toEqual([0, 1]);
  expect([await begins(1, 2499), await begins(1, 2500)]).toEqual([0, 1]);
});

test('a stream with heartbeats stays open, and reports this once', async () => {
  const streams = createStreams();
  const { connections } = follow(streams);
  await pass();
  for (let beats = 0; beats < 8; beats += 1) {
    streams.send(':\n\n');
    await pass(15_000);
  }
  expect(streams.opened).toHaveLength(1);
  expect(connections).toEqual([true]);
});

/** The listeners of `targets` that were added from now on and not removed. */
function watchListeners(...targets: EventTarget[]) {
  const spies = targets.map((target) => ({
    added: jest.spyOn(target, 'addEventListener'),
    removed: jest.spyOn(target, 'removeEventListener'),
  }));
  return () =>
    spies.flatMap(({ added, removed }) => {
      const gone = removed.mock.calls.map(([, listener]) => listener);
      return added.mock.calls.flatMap(([type, listener]) => (gone.includes(listener) ? [] : [type]));
    });
}

test('has the same few listeners however often the stream was lost, and none at the end', async () => {
  const end = new AbortController();
  const listeners = watchListeners(window, document, end.signal);
  const streams = createStreams();
  streams.fail(503);
  const { done } = follow(streams, end);
  await pass();
  const waiting = ['online', 'visibilitychange', 'abort'];
  expect(listeners()).toEqual(waiting);
  await pass(30_000);
  expect(listeners()).toEqual(waiting);

  streams.fail(403);
  await pass(90_000);
  await done;
  expect(listeners()).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});

test('leaves no listeners and timers when its caller ends it during a pause', async () => {
  const end = new AbortController();
  const listeners = watchListeners(window, document);
  const streams = createStreams();
  streams.fail(503);
  const { done } = follow(streams, end);
  await pass();
  end.abort();
  await done;
  expect(listeners()).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});

test('ends when the server denies access', async () => {
  const streams = createStreams();
  streams.fail(403);
  const { done } = follow(streams);
  await pass();
  await done;
  expect(streams.opened).toHaveLength(0);
});
