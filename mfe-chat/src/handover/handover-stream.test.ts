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
  const { services } = createStandInServices({
    answers: () => {
      const end = createEventSource();
      events.push(end);
      return end.stream;
    },
  });
  services.storage.set('open-handovers', known);
  const stream = createHandoverStream(services, (one) => stream.note(one));
  const disconnect = stream.connect();
  await pass(0);
  const stored = () => services.storage.get('open-handovers');
  return { stream, events, stored, disconnect };
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

test('a hidden page has no stream', async () => {
  const { events, disconnect } = await openStream(['h1']);
  const show = async (isShown: boolean) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: !isShown });
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
  };
  await show(false);
  expect(events[0]!.isCancelled()).toBe(true);
  await show(true);
  expect(events).toHaveLength(2);
  Reflect.deleteProperty(document, 'hidden');
  disconnect();
});
