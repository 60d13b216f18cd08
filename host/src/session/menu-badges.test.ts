import { expect, jest, test } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import { createRouteTable } from '../routes.ts';
import { createMenuBadges } from './menu-badges.ts';

const URL = '/api/knowledge';
const routes = createRouteTable([
  {
    path: '/knowledge',
    screen: 'records/./knowledge',
    guard: 'session',
    title: { zh: '知识', en: 'Knowledge' },
    menu: { icon: 'book', order: 1, badge: { url: URL, field: 'unanswered', label: { zh: '', en: '' } } },
  },
]);

function open(token = '') {
  const token$ = new BehaviorSubject(token);
  const page = new EventTarget();
  const get = jest.fn(async (): Promise<unknown> => undefined);
  const badges = createMenuBadges({ routes, token$, get, page: page as unknown as Window });
  const count = () => badges.counts$.value['/knowledge'] ?? 0;
  return { token$, page, get, badges, count };
}

test('sends no request for a guest, and one after sign-in', () => {
  const { token$, page, get, badges } = open();

  badges.watch();
  page.dispatchEvent(new Event('focus'));
  expect(get).not.toHaveBeenCalled();
  token$.next('t1');
  expect(get).toHaveBeenCalledTimes(1);
});

test('refreshes when the page becomes visible again, but not every time', () => {
  jest.useFakeTimers({ now: 0 });
  const { page, get, badges } = open('t');

  badges.watch();
  page.dispatchEvent(new Event('focus'));
  expect(get).toHaveBeenCalledTimes(1);
  jest.setSystemTime(61_000);
  page.dispatchEvent(new Event('focus'));
  expect(get).toHaveBeenCalledTimes(2);
  jest.useRealTimers();
});

test('uses responses to requests of screens, and sends fewer of its own', () => {
  const { get, badges, count } = open('t');

  badges.read(URL, { isEditor: true, unanswered: 7 });
  badges.watch();
  expect(count()).toBe(7);
  expect(get).not.toHaveBeenCalled();
});

test.each([[null], [undefined], ['7'], [{ unanswered: null }]])('%j shows no number', (body) => {
  const { badges, count } = open('t');
  badges.read(URL, body);
  expect(count()).toBe(0);
});

test('the number is cleared with its session', () => {
  const { token$, badges, count } = open('t');
  badges.read(URL, { unanswered: 3 });
  token$.next('');
  expect(count()).toBe(0);
  badges.read(URL, { unanswered: 3 });
  expect(count()).toBe(0);
});

test('shows no number when the server does not answer', async () => {
  const { get, badges, count } = open('t');
  get.mockRejectedValueOnce(new Error('offline'));
  badges.watch();
  await Promise.resolve();
  expect(count()).toBe(0);
});

test('ignores answers of other addresses', () => {
  const { badges, count } = open('t');
  badges.read('/api/records', { unanswered: 3 });
  expect(count()).toBe(0);
});
