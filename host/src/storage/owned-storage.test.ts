import { beforeEach, expect, test } from '@jest/globals';
import { Subject } from 'rxjs';
import { createKeyValueStore } from './key-value-store.ts';
import { createOwnedStorage } from './owned-storage.ts';

let owner: string;
const open = () => {
  const owned = createOwnedStorage({
    keyValues: createKeyValueStore(() => localStorage),
    owner: () => owner,
    owner$: new Subject<string>(),
  });
  return { owned, chat: owned.of('mfe-chat'), records: owned.of('mfe-records') };
};

beforeEach(() => {
  localStorage.clear();
  owner = 'guest';
});

test('separates remotes and owners with the same key', () => {
  const { chat, records } = open();
  owner = 'user:a';
  chat.set('draft', 'of a');
  owner = 'user:b';
  chat.set('draft', 'of b');
  records.set('draft', 3);
  expect(chat.get('draft')).toBe('of b');
  expect(records.get('draft')).toBe(3);
  owner = 'user:a';
  expect(chat.get('draft')).toBe('of a');
  expect(records.get('draft')).toBeUndefined();
});

test('does not let a name reach the data of another', () => {
  const { owned, chat } = open();
  owner = 'user:a';
  chat.set('draft', 'of a');
  owner = 'user:a/mfe-chat';
  expect(chat.get('draft')).toBeUndefined();
  owned.clear('user:a/mfe-chat');
  owner = 'user:a';
  expect(chat.get('draft')).toBe('of a');
});

test('moves the data of a guest to the account at sign-in', () => {
  const { owned, chat } = open();
  chat.set('draft:new', 'half a question');
  owned.adopt('user:a');
  expect(chat.get('draft:new')).toBeUndefined();
  owner = 'user:a';
  expect(chat.get('draft:new')).toBe('half a question');
});

test('does not replace a draft of the owner by an empty one of the guest', () => {
  const { owned, chat } = open();
  owner = 'user:a';
  chat.set('draft:new', 'written before the session ended');
  owner = 'guest';
  chat.set('draft:new', '');
  owned.adopt('user:a');
  owner = 'user:a';
  expect(chat.get('draft:new')).toBe('written before the session ended');
});

test('clears one owner and keeps the others', () => {
  const { owned, chat } = open();
  chat.set('draft', 'guest');
  owner = 'user:a';
  chat.set('draft', 'a');
  owned.clear('user:a');
  expect(chat.get('draft')).toBeUndefined();
  owner = 'guest';
  expect(chat.get('draft')).toBe('guest');
});

test('reads undefined for invalid JSON', () => {
  localStorage.setItem('desk/guest/mfe-chat/draft', '{half');
  expect(open().chat.get('draft')).toBeUndefined();
});
