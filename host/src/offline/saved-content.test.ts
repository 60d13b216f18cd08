import { beforeEach, expect, test } from '@jest/globals';
import { Subject } from 'rxjs';
import { createSavedContent } from './saved-content.ts';

let stored: Map<string, string>;
let owner: string;
let owner$: Subject<string>;

beforeEach(() => {
  stored = new Map();
  owner = 'user:a';
  owner$ = new Subject();
  const urlOf = (key: string | { url: string }) =>
    typeof key === 'string' ? new URL(key, location.origin).href : key.url;
  const cache = {
    match: async (key: string) => {
      const text = stored.get(urlOf(key));
      return text && { json: async () => JSON.parse(text) };
    },
    put: async (key: string, { text }: { text: string }) => void stored.set(urlOf(key), text),
    delete: async (key: string) => stored.delete(urlOf(key)),
    keys: async () => [...stored.keys()].map((url) => ({ url })),
  };
  Object.assign(globalThis, {
    caches: { open: async () => cache },
    Response: class {
      text: string;
      constructor(text: string) {
        this.text = text;
      }
    },
  });
});

const open = (isOn = true) => createSavedContent({ isOn, owner: () => owner, owner$ });
const settle = () => new Promise((resolve) => setTimeout(resolve));

test('saves by remote and key, with the time', async () => {
  const before = Date.now();
  const chat = open().of('mfe-chat');
  await chat.save('conversation', { id: 'c1' });
  const found = await chat.read<{ id: string }>('conversation');
  expect(found?.value).toEqual({ id: 'c1' });
  expect(found?.savedAt).toBeGreaterThanOrEqual(before);
  expect(await chat.read('other')).toBeUndefined();
  expect(await open().of('mfe-records').read('conversation')).toBeUndefined();
  await chat.save('conversation', undefined);
  expect(stored.size).toBe(0);
});

test('removes everything of an owner who leaves', async () => {
  const chat = open().of('mfe-chat');
  await chat.save('conversation', 'of a');
  owner = 'guest';
  owner$.next(owner);
  await settle();
  expect(stored.size).toBe(0);
});

test('content saved while the owner signs out does not remain', async () => {
  const saving = open().of('mfe-chat').save('conversation', 'of a');
  owner = 'guest';
  await saving;
  expect(stored.size).toBe(0);
});

test('removes what is older than 7 days, or of an owner who left when no page was open', async () => {
  const content = open();
  const chat = content.of('mfe-chat');
  owner = 'user:b';
  await chat.save('conversation', 'of b');
  owner = 'user:a';
  await chat.save('new', 'of a');
  await chat.save('old', 'of a');
  const [, , old = ''] = [...stored.keys()];
  stored.set(old, JSON.stringify({ value: 'of a', savedAt: Date.now() - 7 * 86_400_000 - 1 }));
  await content.sweep();
  expect([...stored.keys()].map((url) => url.split('/').at(-1))).toEqual(['new']);
});

test('saves nothing if operations have switched it off, or the browser blocks it', async () => {
  await open(false).of('mfe-chat').save('conversation', 1);
  expect(stored.size).toBe(0);
  Object.assign(globalThis, { caches: { open: () => Promise.reject(new Error('blocked')) } });
  const chat = open().of('mfe-chat');
  await chat.save('conversation', 1);
  expect(await chat.read('conversation')).toBeUndefined();
});
