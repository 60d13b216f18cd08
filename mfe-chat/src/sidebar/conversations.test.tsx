import { expect, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { Conversation, ConversationChange } from 'api/contract/records';
import type { Http } from 'host/contract';
import { type Call, createStandInServices, failure } from 'host/stand-ins';
import { createQueryClient } from 'host/ui/queries.ts';
import { createConversations, useConversations } from '../state/conversations.ts';
import { conversation } from '../testing/samples.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 1, minute)).toISOString();
const [NEW, OLD] = [conversation('new', { updatedAt: at(2) }), conversation('old', { updatedAt: at(1) })];
const pageOf = (...conversations: Conversation[]) => ({ conversations, nextCursor: null });
const DELETED = { matched: 1, deleted: 1, undoToken: 'u', undoUntil: at(9) };

/** Waits for requests and renderings: turns of the event loop, as a busy machine is slower. */
const settle = () =>
  act(async () => {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve));
  });

function openOver(http: Http) {
  const list = createConversations(http, createQueryClient());
  const { result } = renderHook(() => useConversations(list));
  return { list, now: () => result.current };
}

/** A list over a server whose responses the test controls. */
async function openList(first: object = pageOf(NEW, OLD)) {
  const open: { call: Call; answer(body: unknown): void; fail(reason: Error): void }[] = [];
  const { services } = createStandInServices({
    answers: (call) => new Promise((answer, fail) => open.push({ call, answer, fail })),
  });
  const { list, now } = openOver(services.http);
  await settle();
  open.shift()!.answer(first);
  await settle();
  const start = async <T,>(call: () => T): Promise<{ result: T }> => {
    const result = call();
    await settle();
    return { result };
  };
  return {
    list,
    now,
    start,
    /** Answers the oldest pending call. */
    answer: async (body: unknown) => {
      open.shift()!.answer(body);
      await settle();
    },
    next: () => open.shift()!,
    titles: () => now().conversations.map(({ title }) => title),
  };
}

test('a response requested before the end of a deletion does not restore the row', async () => {
  const { list, start, next, answer, titles } = await openList();
  await start(list.refresh);
  const early = next();
  const { result: removing } = await start(() => list.remove('new'));
  const deletion = next();
  early.answer(pageOf(NEW, OLD));
  await settle();
  expect(titles()).toEqual(['title old']);

  await start(list.refresh);
  const late = next();
  deletion.answer(DELETED);
  await removing;
  await settle();
  late.answer(pageOf(NEW, OLD));
  await settle();
  expect(titles()).toEqual(['title old']);
  await answer(pageOf(OLD));
  expect(titles()).toEqual(['title old']);
});

test('undoing a deletion restores the row', async () => {
  const { list, start, answer, titles } = await openList();
  await start(() => list.remove('new'));
  await answer(DELETED);
  expect(titles()).toEqual(['title old']);
  const { result: undoing } = await start(() => list.undo('u'));
  await answer({ restored: 1 });
  await answer(pageOf(NEW, OLD));
  await undoing;
  expect(titles()).toEqual(['title new', 'title old']);
});

test('loads a further page again that was cancelled by a refresh', async () => {
  const { list, now, start, next, answer, titles } = await openList({
    conversations: [NEW],
    nextCursor: 'c',
  });
  await start(() => now().loadMore());
  const givenUp = next();
  await start(list.refresh);
  await answer({ conversations: [NEW], nextCursor: 'c' });
  givenUp.answer(pageOf(OLD));
  await settle();
  expect(now().isFetchingNextPage).toBe(false);
  expect(titles()).toEqual(['title new']);

  await start(() => now().loadMore());
  await answer(pageOf(OLD));
  expect(titles()).toEqual(['title new', 'title old']);
});

test.each([
  ['30', 30],
  [undefined, null],
])('shows how long conversations are stored: X-Guest-Days %j', async (header, days) => {
  const { services } = createStandInServices({ answers: () => pageOf(NEW) });
  const get: typeof services.http.get = async (url, config) => ({
    ...(await services.http.get<never>(url, config)),
    headers: { 'x-guest-days': header },
  });
  const { now } = openOver({ ...services.http, get });
  await settle();
  expect(now()).toMatchObject({ isPending: false, guestDays: days });
});

test('a rejected deletion restores only its own row while another one is running', async () => {
  const { list, start, next, titles } = await openList();
  const { result: first } = await start(() => list.remove('new'));
  const { result: second } = await start(() => list.remove('old'));
  const [refused, done] = [next(), next()];
  expect(titles()).toEqual([]);
  done.answer(DELETED);
  await second;
  refused.fail(failure(0, 'offline', 'no network'));
  await expect(first).rejects.toMatchObject({ error: 'offline' });
  await settle();
  expect(titles()).toEqual(['title new']);
});

test.each<[string, Partial<Conversation>, ConversationChange, Partial<Conversation>]>([
  ['archiving unpins', { pinned: true }, { archived: true }, { pinned: false, archived: true }],
  ['pinning unarchives', { archived: true }, { pinned: true }, { pinned: true, archived: false }],
  ['unpinning leaves it archived', { archived: true }, { pinned: false }, { pinned: false, archived: true }],
  [
    'unarchiving leaves it unpinned',
    { archived: true },
    { archived: false },
    { pinned: false, archived: false },
  ],
  ['renaming leaves it pinned', { pinned: true }, { title: 'other' }, { pinned: true, archived: false }],
])('%s, before and after the server has confirmed it', async (_, before, change, expected) => {
  const one = conversation('new', before);
  const { services } = createStandInServices({
    answers: (call) => {
      if (call.method === 'PATCH') return confirmed.promise;
      const isArchived = Boolean(call.params.archived);
      return pageOf(...(Boolean(one.archived) === isArchived ? [one] : []));
    },
  });
  const confirmed = Promise.withResolvers<Conversation>();
  const list = createConversations(services.http, createQueryClient());
  const { result } = renderHook(() => [
    ...useConversations(list).conversations,
    ...useConversations(list, { isArchived: true }).conversations,
  ]);
  await settle();
  const changing = change.title ? list.rename('new', change.title) : list.place('new', change);
  await settle();
  // An archived or restored conversation is in the other list after that has been loaded again.
  const isMoved = Boolean(expected.archived) !== Boolean(before.archived);
  const shown = result.current.map(({ pinned = false, archived = false }) => ({ pinned, archived }));
  expect(shown).toEqual(isMoved ? [] : [expected]);
  confirmed.resolve({ ...one, ...change, ...expected });
  await expect(changing).resolves.toMatchObject(expected);
});

test('a conversation that is archived and returns at once is not pinned any more', async () => {
  const { list, now, start } = await openList(pageOf({ ...NEW, pinned: true }, OLD));
  await start(() => list.place('new', { archived: true }));
  expect(now().conversations.map(({ id }) => id)).toEqual(['old']);
  await start(() => list.place('new', { archived: false }));
  expect(now().conversations).toMatchObject([{ id: 'new', pinned: false }, { id: 'old' }]);
});

test('a conversation that moved is read again from the server, in both lists', async () => {
  let isArchived = false;
  const { services, calls } = createStandInServices({
    answers: ({ method, params }) => {
      if (method === 'PATCH') {
        isArchived = true;
        return { ...NEW, archived: true, title: 'as stored' };
      }
      const one = { ...NEW, archived: isArchived, title: isArchived ? 'as stored' : 'before' };
      return pageOf(...(Boolean(params.archived) === isArchived ? [one] : []));
    },
  });
  const list = createConversations(services.http, createQueryClient());
  const { result } = renderHook(() => ({
    open: useConversations(list).conversations,
    archived: useConversations(list, { isArchived: true }).conversations,
  }));
  await settle();
  await act(() => list.place('new', { archived: true }));
  await settle();
  expect(result.current).toMatchObject({ open: [], archived: [{ id: 'new', title: 'as stored' }] });
  expect(calls.map(({ method, params }) => `${method} ${params.archived ?? 0}`)).toEqual([
    'GET 0',
    'GET 1',
    'PATCH 0',
    'GET 0',
    'GET 1',
  ]);
});

test('a new title and a read reply show in the list of archived conversations, too', async () => {
  const one = conversation('new', { archived: true, unreadReply: true });
  const { services } = createStandInServices({
    answers: ({ method, params }) =>
      method === 'PATCH' ? { ...one, title: 'renamed' } : pageOf(...(params.archived ? [one] : [])),
  });
  const list = createConversations(services.http, createQueryClient());
  const { result } = renderHook(() => useConversations(list, { isArchived: true }).conversations);
  await settle();
  await act(() => list.rename('new', 'renamed'));
  act(() => list.markRead('new'));
  await settle();
  expect(result.current).toMatchObject([{ title: 'renamed', unreadReply: false }]);
});

test('a response requested before the end of renaming does not restore the old title', async () => {
  const { list, start, next, answer, titles } = await openList();
  await start(list.refresh);
  const early = next();
  const { result: renaming } = await start(() => list.rename('new', 'renamed'));
  expect(titles()).toEqual(['renamed', 'title old']);
  await answer({ ...NEW, title: 'renamed' });
  await renaming;
  early.answer(pageOf(NEW, OLD));
  await settle();
  expect(titles()).toEqual(['renamed', 'title old']);
});

test('a reloaded, unchanged conversation keeps its identity', async () => {
  const { list, now, start, answer } = await openList();
  const [before] = now().conversations;
  await start(list.refresh);
  await answer(pageOf({ ...NEW }, { ...OLD, title: 'other' }));
  expect(now().conversations[0]).toBe(before);
  expect(now().conversations[1]).toMatchObject({ title: 'other' });
});
