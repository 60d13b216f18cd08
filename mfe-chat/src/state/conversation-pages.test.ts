import { expect, test } from '@jest/globals';
import type { DeskRecord, RecordPage } from 'api/contract/records';
import { failure } from 'host/stand-ins';
import { record } from '../testing/samples.ts';
import { createChatStore } from './chat-store.ts';
import { createConversationPages, SAVED } from './conversation-pages.ts';
import { createQuestionVersions } from './question-versions.ts';

/** A conversation with one record and an older page, which arrives after `release()`. */
async function open() {
  const store = createChatStore();
  const older = Promise.withResolvers<{ data: RecordPage }>();
  const get = async (_url: string, { params }: { params: { cursor?: string } }) =>
    params.cursor ? older.promise : { data: { records: [record('r9')], nextCursor: 'older' } };
  const events: string[] = [];
  const pages = createConversationPages({
    http: { get } as never,
    store,
    versions: createQuestionVersions(store),
    onChange: () => undefined,
    onMarked: () => events.push('marked'),
    onRecordMissing: () => events.push('missing'),
    onFailure: () => events.push('failed'),
  });
  store.prepend((await pages.begin('c1'))!);
  const release = (...records: DeskRecord[]) => older.resolve({ data: { records, nextCursor: null } });
  const marked = () => store.chatList.flatMap(({ isMarked, recordId }) => (isMarked ? [recordId] : []));
  return { store, pages, events, release, marked };
}

test('a record takes the place of another one that is still being looked for', async () => {
  const { pages, events, release, marked } = await open();
  const both = [pages.seek('a'), pages.seek('b')];
  release(record('b'), record('a'));
  await Promise.all(both);
  expect(events).toEqual(['marked']);
  expect(new Set(marked())).toEqual(new Set(['b']));
  expect(pages.unmark()).toBe(true);
  expect(marked()).toEqual([]);
});

test('a record of a conversation that was left meanwhile is neither shown nor reported as missing', async () => {
  const { store, pages, events, release } = await open();
  const seeking = pages.seek('a');
  pages.leave();
  release(record('b'));
  await seeking;
  expect(events).toEqual([]);
  expect(store.chatList.some(({ recordId }) => recordId === 'b')).toBe(false);
});

test('a conversation that was deleted elsewhere is not shown at a visit without a connection either', async () => {
  const kept = new Map<string, unknown>([[SAVED, { conversationId: 'c1', records: [record('r1')] }]]);
  const saved = {
    read: async (key: string) => (kept.has(key) ? { value: kept.get(key), savedAt: 0 } : undefined),
    save: async (key: string, value: unknown) =>
      void (value === undefined ? kept.delete(key) : kept.set(key, value)),
  };
  const store = createChatStore();
  let reason = failure(404, 'not_found', '没有这个对话');
  const pages = createConversationPages({
    http: { get: () => Promise.reject(reason) } as never,
    saved: saved as never,
    store,
    versions: createQuestionVersions(store),
    onChange: () => undefined,
    onMarked: () => undefined,
    onRecordMissing: () => undefined,
    onFailure: () => undefined,
  });
  await expect(pages.begin('c1')).rejects.toBe(reason);
  reason = failure(0, 'offline', '连不上服务器');

  await expect(pages.begin('c1')).rejects.toBe(reason);
});
