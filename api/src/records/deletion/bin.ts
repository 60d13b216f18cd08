import { BinEntry, type BinPage } from '../../contract/deletions.ts';
import { cutPage, type PageRequest, readPage, writeCursor } from '../../store/cursor.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { describeAs } from '../../store/describe-as.ts';
import type { ContactUndoDocument } from '../contact-book/contact-undo.ts';
import type { RecordModels } from '../record-models.ts';
import type { DeletionDocument } from './deletion.ts';

/** Reads the deletions, merges and renames that can still be undone, newest first by (createdAt, id). */
export function createBinReader({ deletions, conversations, contactUndos }: RecordModels, undoDays: number) {
  /** Titles of the conversations that these deletions concern, by id. */
  async function titles(owner: string, page: DeletionDocument[]): Promise<Map<string, string>> {
    const ids = page.flatMap(({ conversationId }) => conversationId ?? []);
    if (ids.length === 0) return new Map();
    const found = await conversations.find({ _id: { $in: ids }, owner }, { title: 1 }).lean();
    return new Map(found.map(({ _id, title }) => [_id.toHexString(), title]));
  }

  return async (owner: string, request: PageRequest): Promise<BinPage> => {
    const lasting = { owner, undoUntil: { $gt: databaseDate() } };
    const undoable = { ...lasting, state: { $in: ['erasing', 'erased'] }, ending: null };
    const [deleted, changed] = await Promise.all([
      readPage(deletions, 'createdAt', 'bin', request, undoable, { ids: 0, touched: 0, except: 0 }),
      readPage(contactUndos, 'createdAt', 'bin', request, { ...lasting, state: 'changed' }),
    ]);
    const titleOf = await titles(owner, deleted.page);
    const titled = (deletion: DeletionDocument) =>
      toBinEntry(deletion, titleOf.get(deletion.conversationId?.toHexString() ?? '') ?? '');
    const all = [
      ...deleted.page.map((one) => ({ at: one.createdAt, id: one._id, entry: titled(one) })),
      ...changed.page.map((one) => ({ at: one.createdAt, id: one._id, entry: toUndoEntry(one) })),
    ].sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id.toHexString() < b.id.toHexString() ? 1 : -1));
    const { page, nextCursor } = cutPage(all, request.limit, (last) => writeCursor('bin', last));
    const isMore = deleted.nextCursor !== null || changed.nextCursor !== null;
    const last = page.at(-1);
    return {
      deletions: page.map(({ entry }) => entry),
      undoDays,
      nextCursor: nextCursor ?? (isMore && last ? writeCursor('bin', last) : null),
    };
  };
}

function toUndoEntry(undo: ContactUndoDocument): BinEntry {
  const { from: contact, into, records: matched } = undo;
  const kind = contact.id === into.id ? 'rename' : 'merge';
  return describeAs(BinEntry, { ...undo, kind, title: '', contact, from: '', to: '', tz: '', matched });
}

export function toBinEntry(deletion: DeletionDocument, title: string): BinEntry {
  const contact = deletion.contactId ? { id: deletion.contactId, name: deletion.contactName } : null;
  return describeAs(BinEntry, { ...deletion, title, contact });
}
