import { expect, test } from '@jest/globals';
import type { Conversation } from 'api/contract/records';
import { type Call, createStandInServices, failure } from 'host/stand-ins';
import { conversation } from '../testing/samples.ts';
import { createConversationList } from './conversation-list.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 1, minute)).toISOString();
const [NEW, OLD] = [conversation('new', { updatedAt: at(2) }), conversation('old', { updatedAt: at(1) })];

/** A list over a server whose answers a test gives one by one. */
async function openList(first: readonly Conversation[] = [NEW, OLD]) {
  const open: { call: Call; answer(body: unknown): void; fail(reason: Error): void }[] = [];
  const { services } = createStandInServices({
    answers: (call) => new Promise((answer, fail) => open.push({ call, answer, fail })),
  });
  const list = createConversationList(services.http);
  const loading = list.load();
  open.shift()!.answer({ conversations: first, nextCursor: null });
  await loading;
  return {
    list,
    /** The oldest call that has no answer yet. */
    next: () => open.shift()!,
    titles: () => list.state$.value.conversations.map(({ title }) => title),
  };
}
const pageOf = (...conversations: Conversation[]) => ({ conversations, nextCursor: null });
const DELETED = { matched: 1, deleted: 1, undoToken: 'u', undoUntil: at(9) };

test.each(['refresh', 'load'] as const)(
  'a %s that began before a deletion ended does not bring the row back',
  async (read) => {
    const { list, next, titles } = await openList();
    const reading = list[read]();
    const early = next();
    const removing = list.remove('new');
    const deletion = next();
    early.answer(pageOf(NEW, OLD));
    await reading;
    expect(titles()).toEqual(['title old']);

    const during = list[read]();
    const late = next();
    deletion.answer(DELETED);
    await removing;
    late.answer(pageOf(NEW, OLD));
    await during;
    expect(titles()).toEqual(['title old']);
  },
);

test('a deletion that is undone brings the row back', async () => {
  const { list, next, titles } = await openList();
  const removing = list.remove('new');
  next().answer(DELETED);
  await removing;
  const undoing = list.undo('u');
  next().answer({ restored: 1 });
  await new Promise((resolve) => setTimeout(resolve));
  next().answer(pageOf(NEW, OLD));
  await undoing;
  expect(titles()).toEqual(['title new', 'title old']);
});

test('a further page that is given up as the list is read anew can be asked for again', async () => {
  const { list, next, titles } = await openList();
  const reading = list.load();
  next().answer({ conversations: [NEW], nextCursor: 'c' });
  await reading;
  const more = list.loadMore();
  const givenUp = next();
  const anew = list.load();
  next().answer({ conversations: [NEW], nextCursor: 'c' });
  givenUp.answer(pageOf(OLD));
  await Promise.all([anew, more]);
  expect(list.state$.value.isLoadingMore).toBe(false);

  const again = list.loadMore();
  next().answer(pageOf(OLD));
  await again;
  expect(titles()).toEqual(['title new', 'title old']);
});

test.each([
  ['30', 30],
  [undefined, null],
])('says how long conversations are kept: X-Guest-Days %j', async (header, days) => {
  const { services } = createStandInServices({ answers: () => pageOf(NEW) });
  const get: typeof services.http.get = async (url, config) => ({
    ...(await services.http.get<never>(url, config)),
    headers: { 'x-guest-days': header },
  });
  const list = createConversationList({ ...services.http, get });
  await list.load();
  expect(list.state$.value.guestDays).toBe(days);
});

test('of two deletions at once, the one that is refused brings back its own row alone', async () => {
  const { list, next, titles } = await openList();
  const first = list.remove('new');
  const second = list.remove('old');
  const [refused, done] = [next(), next()];
  done.answer(DELETED);
  await second;
  refused.fail(failure(0, 'offline', 'no network'));
  await expect(first).rejects.toMatchObject({ error: 'offline' });
  expect(titles()).toEqual(['title new']);
});

test('a refresh that began before a renaming ended does not bring the old title back', async () => {
  const { list, next, titles } = await openList();
  const reading = list.refresh();
  const early = next();
  const renaming = list.rename('new', 'renamed');
  next().answer({ ...NEW, title: 'renamed' });
  await renaming;
  early.answer(pageOf(NEW, OLD));
  await reading;
  expect(titles()).toEqual(['renamed', 'title old']);
});

test('a conversation that is read again unchanged keeps its identity', async () => {
  const { list, next } = await openList();
  const [before] = list.state$.value.conversations;
  const reading = list.refresh();
  next().answer(pageOf({ ...NEW }, { ...OLD, title: 'other' }));
  await reading;
  expect(list.state$.value.conversations[0]).toBe(before);
  expect(list.state$.value.conversations[1]).toMatchObject({ title: 'other' });
});
