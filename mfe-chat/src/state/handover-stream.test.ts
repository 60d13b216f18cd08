import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createStandInServices } from 'host/stand-ins';
import { createEventSource, type EventSourceEnd } from '../testing/event-source.ts';
import { handover } from '../testing/samples.ts';
import { createHandoverStream } from './handover-stream.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** A connected stream over a server whose event streams the test controls. */
async function openStream(known: string[]) {
  const events: EventSourceEnd[] = [];
  const { services, owner$ } = createStandInServices({
    answers: () => {
      const end = createEventSource();
      events.push(end);
      return end.stream;
    },
  });
  services.storage.set('open-handovers', known);
  const onReconnected = jest.fn();
  const stream = createHandoverStream(services, (one) => stream.note(one), onReconnected);
  const disconnect = stream.connect();
  await pass(0);
  const stored = () => services.storage.get('open-handovers');
  return { ...services, owner$, stream, events, stored, disconnect, onReconnected };
}

test('forgets handovers that the server no longer reports, and then ends', async () => {
  const { events, stored } = await openStream(['h1', 'deleted']);
  events[0]!.comment();
  events[0]!.sendOther('handover', handover('h1'));
  await pass(9_000);
  expect(stored()).toEqual(['deleted', 'h1']);
  await pass(2_000);
  expect(stored()).toEqual(['h1']);
  expect(events[0]!.isCancelled()).toBe(false);

  events[0]!.sendOther('handover', handover('h1', { state: 'closed' }));
  await pass(0);
  expect(stored()).toBeUndefined();
  expect(events[0]!.isCancelled()).toBe(true);
});

test('looks for a while for an open handover that is not known', async () => {
  const { stream, events, disconnect } = await openStream([]);
  expect(events).toHaveLength(0);
  stream.expect();
  await pass(0);
  events[0]!.comment();
  await pass(11_000);
  expect(events[0]!.isCancelled()).toBe(true);
  stream.expect();
  await pass(0);
  events[1]!.comment();
  events[1]!.sendOther('handover', handover('h1'));
  await pass(11_000);
  expect(events[1]!.isCancelled()).toBe(false);
  disconnect();
});

async function show(isShown: boolean): Promise<void> {
  Object.defineProperty(document, 'hidden', { configurable: true, value: !isShown });
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
}

test('loads again what may have changed while the stream was lost', async () => {
  const { events, onReconnected, disconnect } = await openStream(['h1']);
  events[0]!.comment();
  await pass(0);
  expect(onReconnected).not.toHaveBeenCalled();
  events[0]!.end();
  await pass(3000);
  events[1]!.comment();
  await pass(0);
  expect(onReconnected).toHaveBeenCalledTimes(1);
  disconnect();
});

test('a handover reported by a stream that was lost counts only once the next one reports it', async () => {
  const { events, stored, disconnect } = await openStream(['h1']);
  events[0]!.comment();
  await pass(9_000);
  events[0]!.sendOther('handover', handover('h1'));
  await pass(0);
  events[0]!.end();
  await pass(1_500);
  events[1]!.comment();
  await pass(9_000);
  expect(stored()).toEqual(['h1']);
  await pass(2_000);
  expect(stored()).toBeUndefined();
  disconnect();
});

test('another session or owner has a stream of its own, which is no reconnection', async () => {
  const { session, owner$, storage, events, onReconnected, disconnect } = await openStream(['h1']);
  events[0]!.comment();
  await pass(0);

  session.signIn('token', 'bo');
  expect(events[0]!.isCancelled()).toBe(true);
  storage.set('open-handovers', ['h2']);
  owner$.next('user:bo');
  await pass(0);
  events.at(-1)!.comment();
  await pass(0);
  expect(events.at(-1)!.isCancelled()).toBe(false);
  const count = events.length;
  storage.set('open-handovers', ['h2']);
  owner$.next('user:bo');
  await pass(0);
  expect(events[count - 1]!.isCancelled()).toBe(true);
  expect(events).toHaveLength(count + 1);
  expect(onReconnected).not.toHaveBeenCalled();
  disconnect();
});

test('only one hidden tab follows the changes while a request is open', async () => {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const request = async (_: string, { signal }: LockOptions, hold: () => Promise<void>) => {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
    if (signal?.aborted) return;
    isTaken = true;
    await hold();
    isTaken = false;
    waiting.shift()?.();
  };
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
  await show(false);
  const first = await openStream(['h1']);
  const second = await openStream(['h1']);
  expect([first.events.length, second.events.length]).toEqual([1, 0]);

  first.disconnect();
  await pass(0);
  expect([first.events[0]!.isCancelled(), second.events.length]).toEqual([true, 1]);
  second.events[0]!.sendOther('handover', handover('h1', { state: 'closed' }));
  await pass(0);
  expect(second.events[0]!.isCancelled()).toBe(true);
  second.disconnect();
  await show(true);
  Reflect.deleteProperty(navigator, 'locks');
  Reflect.deleteProperty(document, 'hidden');
});

test('without locks a hidden page has no stream', async () => {
  const { events, disconnect } = await openStream(['h1']);
  await show(false);
  expect(events[0]!.isCancelled()).toBe(true);
  await show(true);
  expect(events).toHaveLength(2);
  Reflect.deleteProperty(document, 'hidden');
  disconnect();
});
