import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import mongoose, { Types } from 'mongoose';
import { contentOf } from '../../api/src/archive/imported-records.ts';
import type {
  BinPage,
  ContactPage,
  ConversationPage,
  Deletion,
  DeskRecord,
  RecordPage,
  RecordStats,
  SearchPage,
} from '../../api/src/contract.ts';
import type { ConversationDocument } from '../../api/src/models/conversation.ts';
import { createContacts } from '../../api/src/services/contacts.ts';
import { createHiddenRecords } from '../../api/src/services/hidden-records.ts';
import { openStore } from '../../api/src/services/open-store.ts';
import {
  archiveOf,
  archiveRecord,
  exportJson,
  idOf,
  importArchive,
  withoutDate,
} from '../../api/src/testing/archives.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';

// 20,000 records are written, marked, and come back, on a machine that is busy with other things.
jest.setTimeout(900_000);

const gone = 20_000;
const kept = 200;
const contact = { id: 'gone@example.com', name: '' };

let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let desk: Desk;
const visitor = createVisitor(() => desk.url);

beforeAll(async () => {
  data = await temporaryDataDir();
  desk = await startDesk({ dataDir: data.dataDir });
});
afterAll(async () => {
  await desk?.kill();
  await data?.remove();
});

/** Three records a conversation; those that stay are spread among the others, some in conversations of theirs. */
function made(from: number, to: number): DeskRecord[] {
  const every = Math.floor((gone + kept) / kept);
  return Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    const isKept = n % every === 0 && n / every < kept;
    return archiveRecord(n, {
      conversationId: idOf(Math.floor(n / 3), 'c'),
      contact: isKept ? null : contact,
      question: `退款 ${n}`,
      answer: `Refund ${n}`,
    });
  });
}

/** The first conversation comes by an import, which makes its owner known; the many others are written past the desk, in seconds. */
async function writeRecords(): Promise<void> {
  const imported = await importArchive(visitor, archiveOf(made(0, 3)));
  expect(imported.body).toEqual({ imported: 3, unchanged: 0, renamed: 0 });
  await desk.stop();
  const { models, close } = await openStore({ mongodbUri: null, dataDir: data.dataDir });
  const first = await models.records.findOne().lean();
  const owner = first?.owner ?? '';
  for (let from = 3; from < gone + kept; from += 999) {
    const records = made(from, Math.min(from + 999, gone + kept));
    const documents = records.map((record) => ({
      _id: new Types.ObjectId(record.id),
      owner,
      language: 'zh' as const,
      ...contentOf(record),
    }));
    await models.records.collection.insertMany(documents as never[]);
    const conversations = [
      ...Map.groupBy(documents, (record) => record.conversationId.toHexString()).values(),
    ];
    await models.conversations.insertMany(conversations.map((own) => conversationOf(owner, own)));
  }
  await createContacts(models, createHiddenRecords(models.erasures)).recount(owner, [contact.id]);
  await close();
  desk = await startDesk({ dataDir: data.dataDir });
}

type Content = ReturnType<typeof contentOf>;

function conversationOf(owner: string, records: readonly Content[]): Omit<ConversationDocument, 'titleFrom'> {
  const [first, last] = [records[0], records.at(-1)];
  if (!first || !last) throw new Error('a conversation has records');
  return {
    _id: first.conversationId,
    owner,
    title: first.question,
    contact: last.contact,
    recordCount: records.length,
    createdAt: first.createdAt,
    updatedAt: last.createdAt,
    erasedBy: null,
    revision: 0,
  };
}

/** How far the marks are, read from the data itself while no desk runs. */
async function marks(): Promise<{ state: string; marked: number }> {
  const { models, close } = await openStore({ mongodbUri: null, dataDir: data.dataDir });
  const erasure = await models.erasures.findOne().lean();
  const marked = await models.records.countDocuments({ erasedBy: { $ne: null } });
  await close();
  return { state: erasure?.state ?? '', marked };
}

async function get<T>(path: string): Promise<T> {
  const { status, body } = await visitor.call<T>('GET', path);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

/** What of the deleted can be seen anywhere. Nothing may. */
async function expectHidden(): Promise<void> {
  const stats = await get<RecordStats>('/api/stats');
  expect(stats.total).toBe(kept);
  const { body: found } = await visitor.call<SearchPage>('POST', '/api/search', { text: '退款' });
  expect([found.total, found.totalIsMore]).toEqual([kept, false]);
  const { body: ofContact } = await visitor.call<SearchPage>('POST', '/api/search', { contact: contact.id });
  expect(ofContact.total).toBe(0);
  expect((await get<ContactPage>('/api/contacts')).contacts).toEqual([]);
  const { records } = await get<RecordPage>('/api/records?limit=100');
  expect(records.filter((record) => record.contact !== null)).toEqual([]);
  const { conversations } = await get<ConversationPage>('/api/conversations?limit=100');
  for (const { id, recordCount } of conversations) {
    const page = await get<RecordPage>(`/api/conversations/${id}/records`);
    expect(page.records.map((record) => record.contact)).toEqual([null]);
    expect(recordCount).toBe(1);
  }
}

test('a kill -9 in the middle of a deletion of 20,000 shows nothing of it again, and undo restores exactly all', async () => {
  await writeRecords();
  const before = withoutDate(await exportJson(visitor));
  expect(before.records).toHaveLength(gone + kept);

  const { body: deletion } = await visitor.call<Deletion>('POST', '/api/delete_by_contact', {
    contact: contact.id,
  });
  expect(deletion).toMatchObject({ matched: gone, deleted: gone });
  await expectHidden();
  await desk.kill();

  const { state, marked } = await marks();
  expect(state).toBe('erasing');
  expect(marked).toBeGreaterThan(0);
  expect(marked).toBeLessThan(gone);

  desk = await startDesk({ dataDir: data.dataDir });
  await expectHidden();
  await desk.kill();
  desk = await startDesk({ dataDir: data.dataDir });
  await until('erased');
  await expectHidden();
  await desk.stop();
  expect(await marks()).toEqual({ state: 'erased', marked: gone });
  desk = await startDesk({ dataDir: data.dataDir });

  const [entry] = (await get<BinPage>('/api/bin')).deletions;
  expect(entry).toMatchObject({ undoToken: deletion.undoToken, kind: 'contact', matched: gone });
  const undone = visitor.call('POST', '/api/undo_delete', { undoToken: deletion.undoToken });
  expect((await undone).body).toEqual({ restored: gone });
  await expectAll(before);
});

/** The store serves its own socket: how far an erasure is can be read while the desk goes on. */
async function until(state: string): Promise<void> {
  const folder = (await readFile(join(data.dataDir, 'store.socket'), 'utf8')).trim();
  const [socket = ''] = await readdir(folder);
  const client = await mongoose.mongo.MongoClient.connect(
    `mongodb://${encodeURIComponent(join(folder, socket))}`,
  );
  try {
    const erasures = client.db('desk').collection('erasures');
    while (!(await erasures.findOne({ state }))) await setTimeout(200);
  } finally {
    await client.close();
  }
}

/** An undo of many may go on behind its answer. */
async function expectAll(before: ReturnType<typeof withoutDate>): Promise<void> {
  await until('restored');
  const after = withoutDate(await exportJson(visitor));
  expect(after.records).toEqual(before.records);
  expect(after.conversations).toEqual(before.conversations);
  const { body: found } = await visitor.call<SearchPage>('POST', '/api/search', { text: 'refund' });
  expect([found.total, found.totalIsMore]).toEqual([10_000, true]);
}
