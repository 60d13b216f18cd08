import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Connection, createConnection } from './connection.ts';

let requests: number;
let answer: () => Promise<unknown>;
let isOnline: boolean;

beforeEach(() => {
  jest.useFakeTimers();
  requests = 0;
  isOnline = true;
  answer = () => Promise.reject(new Error('unreachable'));
});
afterEach(() => {
  jest.useRealTimers();
});

/** A page per test, so that tests do not receive each other's events. */
function open(isStored = false): { connection: Connection; page: EventTarget } {
  const page = Object.assign(new EventTarget(), { navigator: { onLine: isOnline } });
  const probe = () => {
    requests++;
    return answer();
  };
  return { connection: createConnection({ page: page as never, isStored, probe }), page };
}
const secondsLeft = ({ state$ }: Connection) => (Number(state$.value.retryAt) - Date.now()) / 1000;

test('sends no requests while online', async () => {
  const { connection } = open();
  expect(connection.state$.value).toEqual({ isOnline: true, retryAt: null });
  connection.retry();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(requests).toBe(0);
});

test('a stored page is offline until the server answers', async () => {
  const { connection } = open(true);
  expect(connection.state$.value.isOnline).toBe(false);
  answer = async () => undefined;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(connection.state$.value.isOnline).toBe(true);
});

test('shows when it retries, with increasing delays', async () => {
  const { connection, page } = open();
  page.dispatchEvent(new Event('offline'));
  for (const [index, delay] of [5, 10, 20, 30, 30].entries()) {
    expect(connection.state$.value.isOnline).toBe(false);
    expect(secondsLeft(connection)).toBe(delay);
    await jest.advanceTimersByTimeAsync(delay * 1000);
    expect(requests).toBe(index + 1);
  }

  page.dispatchEvent(new Event('online'));
  page.dispatchEvent(new Event('offline'));
  expect(secondsLeft(connection)).toBe(5);
});

test('goes online when the server answers, and dispatches the online event', async () => {
  const { connection, page } = open();
  const events: string[] = [];
  page.addEventListener('online', ({ type }) => events.push(type));
  page.dispatchEvent(new Event('offline'));
  answer = async () => undefined;
  connection.retry();
  expect(connection.state$.value).toEqual({ isOnline: false, retryAt: null });
  await jest.advanceTimersByTimeAsync(0);
  expect(connection.state$.value.isOnline).toBe(true);
  expect(events).toEqual(['online']);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(requests).toBe(1);
});

test('goes online by the browser’s own event, also during an attempt', async () => {
  const { connection, page } = open();
  page.dispatchEvent(new Event('offline'));
  connection.retry();
  connection.retry();
  expect(requests).toBe(1);
  page.dispatchEvent(new Event('online'));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(connection.state$.value.isOnline).toBe(true);
  expect(requests).toBe(1);
});

test('starts retrying on a page that opens offline', () => {
  isOnline = false;
  expect(open().connection.state$.value.isOnline).toBe(false);
});
