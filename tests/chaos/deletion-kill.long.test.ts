import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type Connection, Types } from 'mongoose';
import type { BinPage, Deletion } from '../../api/src/contract/deletions.ts';
import type { ConversationPage, DeskRecord, RecordPage } from '../../api/src/contract/records.ts';
import type { ContactPage, RecordStats, SearchPage } from '../../api/src/contract/search.ts';
import { contentOf } from '../../api/src/records/archive/importing.ts';
import { createContacts } from '../../api/src/records/contacts.ts';
import type { ConversationDocument } from '../../api/src/records/conversation.ts';
import { createHiddenRecords } from '../../api/src/records/hidden-records.ts';
import { openStore } from '../../api/src/store/open-store.ts';
import {
  archiveOf,
  archiveRecord,
  exportJson,
  idOf,
  importArchive,
  withoutDate,
} from '../../api/src/testing/archives.ts';
import { openTestStore } from '../../api/src/testing/open-test-models.ts';
import { testStoreConfig } from '../../api/src/testing/test-database.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { startDesk, temporaryDataDir } from '../start-desk.ts';
import { connectToRunningStore } from './connect-to-running-store.ts';

test('two kills -9 during a deletion of 20,000 records make none of them visible again, and an undo restores exactly all', async () => {
  await killDuringDeletion({ gone: 20_000, kept: 200, kills: 2 });
});

interface DeletionScale {
  /** Number of deleted records, and of others of the same owner that stay. */
  gone: number;
  kept: number;
  /** How often the server is killed during marking. Above 1, visibility is checked in between. */
  kills: number;
}

const contact = { id: 'gone@example.com', name: '' };
/**
 * Maximum number of records imported over HTTP, a whole number of conversations; more are written into the
 * store directly.
 */
const maxImported = 999;
/** Records per write, a whole number of conversations. */
const slice = 999;

/**
 * Deletes the records of a contact, kills the server meanwhile, and checks that the deletion is completed and
 * can be undone exactly.
 */
async function killDuringDeletion({ gone, kept, kills }: DeletionScale): Promise<void> {
  const { dataDir, remove } = await temporaryDataDir();
  const start = () => startDesk({ dataDir, isApiAlone: true });
  let desk = await start();
  const visitor = createVisitor(() => desk.url);

  async function get<T>(path: string): Promise<T> {
    const { status, body } = await visitor.call<T>('GET', path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  }

  async function giveRecords(): Promise<void> {
    const imported = Math.min(gone + kept, maxImported);
    const records = recordsFrom(0, imported, { gone, kept });
    expect((await importArchive(visitor, archiveOf(records))).body.imported).toBe(imported);
    if (imported === gone + kept) return;
    await desk.stop();
    await writeRecords(dataDir, imported, { gone, kept });
    desk = await start();
  }

  /** All pages of a search: during a deletion each reads a bounded number of records, and may contain few. */
  async function findAll(filter: object): Promise<DeskRecord[]> {
    const found: DeskRecord[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { body } = await visitor.call<SearchPage>('POST', '/api/search', { ...filter, cursor });
      found.push(...body.records);
      cursor = body.nextCursor;
    }
    return found;
  }

  /** Asserts that none of the deleted records is visible anywhere. */
  async function expectHidden(): Promise<void> {
    expect((await get<RecordStats>('/api/stats')).total).toBe(kept);
    expect((await findAll({ text: '退款' })).map((record) => record.contact)).toEqual(Array(kept).fill(null));
    expect(await findAll({ contact: contact.id })).toEqual([]);
    expect((await get<ContactPage>('/api/contacts')).contacts).toEqual([]);
    const { records } = await get<RecordPage>('/api/records?limit=100');
    expect(records.filter((record) => record.contact !== null)).toEqual([]);
    const { conversations } = await get<ConversationPage>('/api/conversations?limit=100');
    expect(conversations.length).toBeGreaterThan(0);
    for (const { id, recordCount } of conversations) {
      const page = await get<RecordPage>(`/api/conversations/${id}/records`);
      expect(page.records.map((record) => record.contact)).toEqual([null]);
      expect(recordCount).toBe(1);
    }
  }

  /** Polls the deletion in the store until a condition holds, while the server works on it. */
  async function until(reached: (progress: Progress) => boolean): Promise<Progress> {
    const connection = await connectToRunningStore(dataDir);
    try {
      for (;;) {
        const progress = await readProgress(connection);
        if (reached(progress)) return progress;
        await setTimeout(gone > maxImported ? 200 : 10);
      }
    } finally {
      await connection.close();
    }
  }

  try {
    await giveRecords();
    const before = withoutDate(await exportJson(visitor));
    expect(before.records).toHaveLength(gone + kept);

    const erasing = visitor
      .call<Deletion>('POST', '/api/delete_by_contact', { contact: contact.id })
      .catch(() => undefined);
    let marked = 0;
    for (let kill = 0; kill < kills; kill++) {
      await until((progress) => progress.marked > marked);
      if (kills > 1) await expectHidden();
      await desk.kill();
      const left = await progressOf(dataDir);
      expect(left.state).toBe('erasing');
      expect(left.marked).toBeGreaterThan(marked);
      expect(left.marked).toBeLessThan(gone);
      marked = left.marked;
      desk = await start();
      await expectHidden();
    }
    await erasing;
    expect(await until(({ state }) => state === 'erased')).toEqual({ state: 'erased', marked: gone });
    await expectHidden();

    const [entry] = (await get<BinPage>('/api/bin')).deletions;
    expect(entry).toMatchObject({ kind: 'contact', matched: gone });
    const undone = await visitor.call('POST', '/api/undo_delete', { undoToken: entry?.undoToken });
    expect(undone.body).toEqual({ restored: gone });
    // An undo of many records responds before it has ended.
    await until(({ state }) => state === 'restored');
    expect(withoutDate(await exportJson(visitor))).toEqual(before);
    const { body: found } = await visitor.call<SearchPage>('POST', '/api/search', { text: 'refund' });
    const all = gone + kept;
    expect([found.total, found.totalIsMore]).toEqual([Math.min(all, 10_000), all > 10_000]);
  } finally {
    await desk.kill();
    await remove();
  }
}

/**
 * Three records per conversation; those that stay are interleaved with the others, some in separate
 * conversations.
 */
function recordsFrom(from: number, to: number, { gone, kept }: Omit<DeletionScale, 'kills'>): DeskRecord[] {
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

/**
 * Writes the records from number `from` on into the store of a stopped server, for the owner of the existing
 * ones.
 */
async function writeRecords(
  dataDir: string,
  from: number,
  scale: Omit<DeletionScale, 'kills'>,
): Promise<void> {
  const { models, close } = await openTestStore(testStoreConfig(dataDir));
  const owner = (await models.records.findOne().lean())?.owner ?? '';
  const end = scale.gone + scale.kept;
  for (let at = from; at < end; at += slice) {
    const documents = recordsFrom(at, Math.min(at + slice, end), scale).map((record) => ({
      _id: new Types.ObjectId(record.id),
      owner,
      language: 'zh' as const,
      ...contentOf(record),
    }));
    await models.records.collection.insertMany(documents as never[]);
    const conversations = Map.groupBy(documents, (record) => record.conversationId.toHexString());
    await models.conversations.insertMany(
      [...conversations.values()].map((own) => conversationOf(owner, own)),
    );
  }
  await createContacts(models, createHiddenRecords(models.deletions)).recount(owner, [contact.id]);
  await close();
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

interface Progress {
  state: string;
  marked: number;
}

async function readProgress(connection: Connection): Promise<Progress> {
  const deletion = await connection.collection('erasures').findOne();
  if (!deletion) return { state: '', marked: 0 };
  const { _id, owner, state } = deletion;
  // Counted with an index, so that observing does not slow down the store.
  const marked = await connection.collection('records').countDocuments({ owner, erasedBy: _id });
  return { state, marked };
}

/** The same while no server is running. */
async function progressOf(dataDir: string): Promise<Progress> {
  const { connection, close } = await openStore(testStoreConfig(dataDir));
  const progress = await readProgress(connection);
  await close();
  return progress;
}
