import { expect, jest, test } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import { createUnanswered } from './unanswered.ts';

function open(token = '') {
  const token$ = new BehaviorSubject(token);
  const page = new EventTarget();
  const ask = jest.fn(async (): Promise<unknown> => undefined);
  const unanswered = createUnanswered({ token$, ask, page: page as unknown as Window });
  return { token$, page, ask, unanswered };
}

test('asks nothing for a guest, and once for whoever signs in', () => {
  const { token$, page, ask, unanswered } = open();

  unanswered.watch();
  page.dispatchEvent(new Event('focus'));
  expect(ask).not.toHaveBeenCalled();
  token$.next('t1');
  expect(ask).toHaveBeenCalledTimes(1);
});

test('looks again when the page comes back to the front, not every time', () => {
  jest.useFakeTimers({ now: 0 });
  const { page, ask, unanswered } = open('t');

  unanswered.watch();
  page.dispatchEvent(new Event('focus'));
  expect(ask).toHaveBeenCalledTimes(1);
  jest.setSystemTime(61_000);
  page.dispatchEvent(new Event('focus'));
  expect(ask).toHaveBeenCalledTimes(2);
  jest.useRealTimers();
});

test('hears what others have asked for, and asks less because of it', () => {
  const { ask, unanswered } = open('t');

  unanswered.hear({ isEditor: true, unanswered: 7 });
  unanswered.watch();
  expect(unanswered.count$.value).toBe(7);
  expect(ask).not.toHaveBeenCalled();
});

test.each([[null], [undefined], ['7'], [{ unanswered: null }]])('%j tells of no question', (body) => {
  const { unanswered } = open('t');
  unanswered.hear(body);
  expect(unanswered.count$.value).toBe(0);
});

test('the number goes with the session that it was told to', () => {
  const { token$, unanswered } = open('t');
  unanswered.hear({ unanswered: 3 });
  token$.next('');
  expect(unanswered.count$.value).toBe(0);
  unanswered.hear({ unanswered: 3 });
  expect(unanswered.count$.value).toBe(0);
});

test('a server that does not answer is no matter', async () => {
  const { ask, unanswered } = open('t');
  ask.mockRejectedValueOnce(new Error('offline'));
  unanswered.watch();
  await Promise.resolve();
  expect(unanswered.count$.value).toBe(0);
});
