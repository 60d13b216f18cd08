import { beforeEach, expect, test } from '@jest/globals';
import { createKeep } from './keep.ts';

beforeEach(() => localStorage.clear());

test('stores values across a reload', () => {
  createKeep(() => localStorage).write('a', '1');
  expect(createKeep(() => localStorage).read('a')).toBe('1');
});

test('stores values in memory if the browser blocks its storage', () => {
  const keep = createKeep(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  keep.write('a', '1');
  expect(keep.read('a')).toBe('1');
  expect(keep.keys()).toEqual(['a']);
  keep.remove('a');
  expect(keep.read('a')).toBeUndefined();
});

test('prefers a value that did not fit into a full storage to the older stored one', () => {
  localStorage.setItem('a', 'old');
  const full = {
    getItem: (key: string) => localStorage.getItem(key),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  } as unknown as Storage;
  const keep = createKeep(() => full);
  keep.write('a', 'new');
  expect(keep.read('a')).toBe('new');
});
