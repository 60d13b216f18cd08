import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createQueryClient } from 'host/ui/queries.ts';
import { createSearch } from './search.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function open() {
  const queries = createQueryClient();
  const search = createSearch(queries);
  const queried: (string | null)[] = [];
  search.state$.subscribe(({ query }) => queried.push(query));
  return { queries, search, queried, now: () => search.state$.value };
}

test('searches once typing has paused', () => {
  const { search, now } = open();
  search.type('退', false);
  jest.advanceTimersByTime(200);
  search.type('退款 ', false);
  jest.advanceTimersByTime(200);
  expect(now()).toEqual({ text: '退款 ', query: '' });
  jest.advanceTimersByTime(50);
  expect(now()).toEqual({ text: '退款 ', query: '退款' });
  expect(jest.getTimerCount()).toBe(0);
});

test.each<[string, (search: ReturnType<typeof createSearch>) => void]>([
  ['clearing the field', (search) => search.clear()],
  ['deleting the text', (search) => search.type(' ', false)],
])('%s ends the search, also one that was about to start', (_, end) => {
  const { search, now } = open();
  search.type('退款', false);
  end(search);
  expect(now().query).toBeNull();
  expect(jest.getTimerCount()).toBe(0);
  jest.advanceTimersByTime(1000);
  expect(now().query).toBeNull();

  search.type('发票', false);
  search.submit();
  end(search);
  expect(now().query).toBeNull();
});

test('Enter searches at once and only once', () => {
  const { search, now, queried } = open();
  search.type('退款', false);
  search.submit();
  expect(now().query).toBe('退款');
  jest.advanceTimersByTime(1000);
  expect(queried).toEqual([null, '', '退款']);
});

test('Enter without text changes nothing; with the same text it loads the results again', () => {
  const { search, queries, queried } = open();
  const invalidated = jest.spyOn(queries, 'invalidateQueries');
  search.submit();
  expect(queried).toEqual([null]);
  search.type('退款', false);
  search.submit();
  expect(invalidated).not.toHaveBeenCalled();
  search.submit();
  expect(invalidated).toHaveBeenCalledWith({ queryKey: ['search', '退款'] });
});

test('while more is typed the results of the earlier text stay', () => {
  const { search, now } = open();
  search.type('退款', false);
  search.submit();
  search.type('退款多', false);
  expect(now()).toEqual({ text: '退款多', query: '退款' });
});

test('an input method that is composing neither starts a search nor lets one start', () => {
  const { search, now } = open();
  search.type('退', false);
  search.type('退k', true);
  jest.advanceTimersByTime(1000);
  expect(now()).toEqual({ text: '退k', query: '' });
});
