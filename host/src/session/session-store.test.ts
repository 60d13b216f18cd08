import { beforeEach, expect, test } from '@jest/globals';
import { createKeyValueStore } from '../storage/key-value-store.ts';
import { createSessionStore, SESSION_KEY, writeFormSession } from './session-store.ts';

const open = (
  endOnServer: (token: string) => Promise<string | undefined> = async () => undefined,
  openStorage = () => localStorage,
) => {
  const events: string[] = [];
  const session = createSessionStore({
    keyValues: createKeyValueStore(openStorage),
    page: window,
    endOnServer: (token) => {
      events.push(`end ${token}`);
      return endOnServer(token);
    },
    leave: (url) => events.push(`leave for ${url}`),
    onUnstored: () => events.push('unstored'),
    onSignIn: (owner) => events.push(`in ${owner} while ${session.owner()}`),
    onSignOut: (owner) => events.push(`out ${owner} while ${session.owner()}`),
  });
  return { session, events };
};

/** Simulates a change made in another tab. */
const tellTab = (newValue: string | null, key: string | null = SESSION_KEY) =>
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }));

beforeEach(() => localStorage.clear());

test('leaves for the page at which the session at its provider ends', async () => {
  const { session, events } = open(async () => 'https://id.example/end');
  session.signIn('t1', 'lin');
  session.signIn('t2', 'lin');
  await session.signOut();
  expect(events.slice(-2)).toEqual(['end t2', 'leave for https://id.example/end']);
  expect(events.filter((one) => one.startsWith('leave'))).toHaveLength(1);
});

test('starts empty', () => {
  const { session } = open();
  expect(session.token$.value).toBe('');
  expect(session.owner()).toBe('guest');
});

test('the token is in a cookie for forms, as long as there is one', () => {
  const page = { cookie: '', location: { protocol: 'https:' } as Location };
  writeFormSession(page, 't1');
  expect(page.cookie).toBe('__Host-desk_session=t1; Path=/; SameSite=Lax; Max-Age=2592000; Secure');
  writeFormSession(page, '');
  expect(page.cookie).toMatch(/^__Host-desk_session=; .*Max-Age=0/);
});

test('stores the token under a key prefixed __persist__user', () => {
  open().session.signIn('t1', 'lin');
  const entries = Object.entries(localStorage).filter(([key]) => key.startsWith('__persist__user'));
  expect(entries).toHaveLength(1);
  expect(entries[0]?.[1]).toContain('t1');
  const { session } = open();
  expect(session.token$.value).toBe('t1');
  expect(session.username$.value).toBe('lin');
  expect(session.owner()).toBe('user:lin');
});

test('follows a sign-in, a change of user and a sign-out in another tab', () => {
  const { session } = open();
  const owners: string[] = [];
  session.owner$.subscribe((owner) => owners.push(owner));
  tellTab(JSON.stringify({ token: 't1', username: 'lin' }));
  expect(session.token$.value).toBe('t1');
  tellTab(JSON.stringify({ token: 't2', username: 'wang' }));
  tellTab(null);
  expect(session.token$.value).toBe('');
  expect(session.username$.value).toBe('');
  expect(owners).toEqual(['user:lin', 'user:wang', 'guest']);
});

test('follows when another tab clears the whole storage, and ignores other keys', () => {
  const { session } = open();
  session.signIn('t1', 'lin');
  tellTab('x', 'something-else');
  expect(session.token$.value).toBe('t1');
  tellTab(null, null);
  expect(session.token$.value).toBe('');
});

test.each(['half a {', '"text"', 'null', '{"token":5}', '[]'])('reads %s as signed out', (text) => {
  localStorage.setItem(SESSION_KEY, text);
  expect(open().session.token$.value).toBe('');
});

test('never publishes a token with the name of another user', () => {
  const { session } = open();
  const seen: string[] = [];
  session.token$.subscribe((token) => seen.push(`${token}:${session.username$.value}`));
  session.signIn('t1', 'lin');
  session.signIn('t2', 'wang');
  expect(seen).toEqual([':', 't1:lin', 't2:wang']);
});

test('prepares the owner before a sign-in is published and cleans up after a sign-out', async () => {
  const { session, events } = open();
  session.signIn('t1', 'lin');
  await session.signOut();
  expect(events).toEqual(['in user:lin while guest', 'out user:lin while guest', 'end t1']);
  expect(Object.keys(localStorage)).toEqual([]);
});

test('signs out locally when the server cannot be reached, and rejects', async () => {
  const { session } = open(() => Promise.reject(new Error('offline')));
  session.signIn('t1', 'lin');
  await expect(session.signOut()).rejects.toThrow('offline');
  expect(session.token$.value).toBe('');
});

test('ends the previous session when a sign-in replaces it', () => {
  const { session, events } = open(() => Promise.reject(new Error('offline')));
  session.signIn('t1', 'lin');
  session.signIn('t2', 'lin');
  session.signIn('t2', 'lin');
  expect(events.filter((event) => event.startsWith('end'))).toEqual(['end t1']);
  expect(session.token$.value).toBe('t2');
});

test('forgets the session without a request and without clearing the owner’s data', () => {
  const { session, events } = open();
  session.signIn('t1', 'lin');
  session.forget();
  expect(session.token$.value).toBe('');
  expect(events).toEqual(['in user:lin while guest']);
});

test('updates the username from the server', () => {
  localStorage.setItem(SESSION_KEY, '{"token":"t1"}');
  const { session } = open();
  session.setUsername('lin');
  expect(session.owner()).toBe('user:lin');
  expect(open().session.username$.value).toBe('lin');
});

test('a name that arrives after a sign-out is ignored', () => {
  const { session } = open();
  session.signIn('t1', 'lin');
  session.forget();
  session.setUsername('lin');
  expect(session.username$.value).toBe('');
  expect(localStorage.getItem(SESSION_KEY)).toBeNull();
});

test('a sign-in that the browser cannot store is reported, and lasts until the page is left', () => {
  const { session, events } = open(undefined, () => {
    throw new DOMException('denied', 'SecurityError');
  });
  session.signIn('t1', 'lin');
  expect(session.token$.value).toBe('t1');
  expect(events).toEqual(['in user:lin while guest', 'unstored']);
});
