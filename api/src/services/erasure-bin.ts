import type { BinEntry, BinPage } from '../contract.ts';
import type { ErasureDocument, ErasureModel } from '../models/erasure.ts';
import type { PageRequest } from './conversations.ts';
import { behind, cutPage, readCursor, writeCursor } from './cursor.ts';

export interface BinReader {
  page(owner: string, request: PageRequest): Promise<BinPage>;
}

/** The deletions that can still be undone, newest first by (createdAt, id). */
export function createBinReader(erasures: ErasureModel): BinReader {
  return {
    async page(owner, { limit, cursor }) {
      const from = cursor === undefined ? {} : behind('createdAt', readCursor('bin', cursor));
      const read = await erasures
        .find(
          {
            owner,
            ...from,
            state: { $in: ['erasing', 'erased'] },
            ending: null,
            undoUntil: { $gt: new Date() },
          },
          { ids: 0, touched: 0, except: 0 },
        )
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit + 1)
        .lean<ErasureDocument[]>();
      const { page, nextCursor } = cutPage(read, limit, (last) =>
        writeCursor('bin', { at: last.createdAt, id: last._id }),
      );
      return { deletions: page.map(toEntry), nextCursor };
    },
  };
}

function toEntry(erasure: ErasureDocument): BinEntry {
  const { undoToken, kind, contactId, contactName, from, to, tz, matched, createdAt, undoUntil } = erasure;
  return {
    undoToken,
    kind,
    contact: contactId ? { id: contactId, name: contactName } : null,
    from,
    to,
    tz,
    matched,
    createdAt: createdAt.toISOString(),
    undoUntil: undoUntil.toISOString(),
  };
}
