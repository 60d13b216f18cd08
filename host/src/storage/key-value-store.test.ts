import { beforeEach, expect, test } from '@jest/globals';
import { createKeyValueStore } from './key-value-store.ts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const blocked = () => {
  throw new DOMException('denied', 'SecurityError');
};
/** A storage with room for so many characters. */
function limited(storage: Storage, room: number): () => Storage {
  const size = () => Object.values({ ...storage }).join('').length;
  return () =>
    new Proxy(storage, {
      get: (target, name) =>
        name === 'setItem'
          ? (key: string, text: string) => {
              if (size() - (target.getItem(key) ?? '').length + text.length > room)
                throw new DOMException('full', 'QuotaExceededError');
              target.setItem(key, text);
            }
          : name in Storage.prototype
            ? (target[name as 'getItem'] as (key: string) => unknown).bind(target)
            : Reflect.get(target, name),
    });
}
const open = () => localStorage;
const openForTab = () => sessionStorage;

test('stores values across a reload', () => {
  expect(createKeyValueStore(open, { openForTab }).write('a', '1')).toBe(true);
  expect(createKeyValueStore(open, { openForTab }).read('a')).toBe('1');
  expect(sessionStorage).toHaveLength(0);
});

test('stores values in memory if the browser blocks its storage', () => {
  const keyValues = createKeyValueStore(blocked, { openForTab: blocked });
  expect(keyValues.write('a', '1')).toBe(false);
  expect(keyValues.read('a')).toBe('1');
  expect(keyValues.keys()).toEqual(['a']);
  keyValues.remove('a');
  expect(keyValues.read('a')).toBeUndefined();
});

test('a value that does not fit into a full storage replaces the older one, and lasts as long as the tab', () => {
  localStorage.setItem('a', 'old');
  const full = limited(localStorage, 3);
  expect(createKeyValueStore(full, { openForTab }).write('a', 'newer')).toBe(true);
  const keyValues = createKeyValueStore(full, { openForTab });
  expect(keyValues.read('a')).toBe('newer');
  expect(localStorage.getItem('a')).toBeNull();
  keyValues.write('a', 'new');
  expect(localStorage.getItem('a')).toBe('new');
  expect(sessionStorage).toHaveLength(0);
});

test('to store the session, the largest entries of the product move to the tab; others stay', () => {
  for (const [key, text] of [
    ['other application', 'longer than any entry of ours.'],
    ['desk/guest/mfe-chat/draft:new', 'a long draft of a question'],
    ['desk/guest/mfe-chat/model', 'fast'],
  ] as const)
    localStorage.setItem(key, text);
  const full = limited(localStorage, 60);
  const keyValues = createKeyValueStore(full, { openForTab, isVital: (key) => key === 'session' });
  expect(keyValues.write('session', 'a-token')).toBe(true);
  expect(localStorage.getItem('session')).toBe('a-token');
  expect(localStorage.getItem('other application')).not.toBeNull();
  expect(localStorage).toHaveLength(3);
  expect(keyValues.read('desk/guest/mfe-chat/draft:new')).toBe('a long draft of a question');
  expect(keyValues.write('desk/guest/mfe-chat/draft:1', 'x'.repeat(40))).toBe(true);
  expect(localStorage).toHaveLength(3);
});
