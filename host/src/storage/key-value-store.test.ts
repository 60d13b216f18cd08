import { beforeEach, expect, test } from '@jest/globals';
import { createKeyValueStore } from './key-value-store.ts';

beforeEach(() => localStorage.clear());

test('stores values across a reload', () => {
  createKeyValueStore(() => localStorage).write('a', '1');
  expect(createKeyValueStore(() => localStorage).read('a')).toBe('1');
});

test('stores values in memory if the browser blocks its storage', () => {
  const keyValues = createKeyValueStore(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  keyValues.write('a', '1');
  expect(keyValues.read('a')).toBe('1');
  expect(keyValues.keys()).toEqual(['a']);
  keyValues.remove('a');
  expect(keyValues.read('a')).toBeUndefined();
});

test('prefers a value that did not fit into a full storage to the older stored one', () => {
  localStorage.setItem('a', 'old');
  const full = {
    getItem: (key: string) => localStorage.getItem(key),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  } as unknown as Storage;
  const keyValues = createKeyValueStore(() => full);
  keyValues.write('a', 'new');
  expect(keyValues.read('a')).toBe('new');
});
