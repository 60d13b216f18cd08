import type { BinEntry, BinPage } from '../../contract/deletions.ts';
import { type PageRequest, readPage } from '../../store/cursor.ts';
import type { RecordModels } from '../record-models.ts';
import type { ErasureDocument } from './erasure.ts';

export interface BinReader {
  page(owner: string, request: PageRequest): Promise<BinPage>;
}

/** Reads the deletions that can still be undone, newest first by (createdAt, id). */
export function createBinReader(
  { erasures, conversations }: Pick<RecordModels, 'erasures' | 'conversations'>,
  undoDays: number,
): BinReader {
  /** Titles of the conversations that these deletions concern, by id. */
  async function titles(owner: string, page: ErasureDocument[]): Promise<Map<string, string>> {
    const ids = page.flatMap(({ conversationId }) => conversationId ?? []);
    if (ids.length === 0) return new Map();
    const found = await conversations.find({ _id: { $in: ids }, owner }, { title: 1 }).lean();
    return new Map(found.map(({ _id, title }) => [_id.toHexString(), title]));
  }

  return {
    async page(owner, request) {
      const undoable = {
        owner,
        state: { $in: ['erasing', 'erased'] },
        ending: null,
        undoUntil: { $gt: new Date() },
      } as const;
      const { page, nextCursor } = await readPage<'createdAt', ErasureDocument>(
        'bin',
        'createdAt',
        request,
        (after) => erasures.find({ ...undoable, ...after }, { ids: 0, touched: 0, except: 0 }),
      );
      const titleOf = await titles(owner, page);
      const deletions = page.map((erasure) =>
        toBinEntry(erasure, titleOf.get(erasure.conversationId?.toHexString() ?? '') ?? ''),
      );
      return { deletions, undoDays, nextCursor };
    },
  };
}

/** The representation for its owner. */
export function toBinEntry(erasure: ErasureDocument, title: string): BinEntry {
  const { undoToken, kind, contactId, contactName, from, to, tz, matched, createdAt, undoUntil } = erasure;
  return {
    undoToken,
    kind,
    title,
    contact: contactId ? { id: contactId, name: contactName } : null,
    from,
    to,
    tz,
    matched,
    createdAt: createdAt.toISOString(),
    undoUntil: undoUntil.toISOString(),
  };
}
