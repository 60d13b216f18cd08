import { setImmediate } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { asItWas } from '../change-record.ts';
import type { RecordDocument, RecordModel } from '../record.ts';
import { recordTerms } from '../search/record-terms.ts';
import { inboxMark } from '../unanswered-mark.ts';
import type { ErasureDocument } from './erasure.ts';
import { isByIds, type RecordCondition } from './hidden-records.ts';

/** Of a record, what an erasure must know to make anew what it belongs to. */
export type NamedRecord = Pick<RecordDocument, '_id' | 'conversationId' | 'createdAt'> & {
  contact: { id: string } | null;
};

const namedFields = { conversationId: 1, createdAt: 1, 'contact.id': 1 } as const;

/** The records of erasures: found, marked, brought back and removed, a slice at a time. Everything can be done again. */
export interface ErasureRecords {
  /** Those that it names and that are not marked yet, so many at a time. They must be marked before the next are asked for. */
  unmarked(
    erasure: ErasureDocument,
    named: RecordCondition,
    sizeOf: () => number,
  ): AsyncGenerator<NamedRecord[]>;
  /** The same, to be left unmarked. */
  there(
    erasure: ErasureDocument,
    named: RecordCondition,
    sizeOf: () => number,
  ): AsyncGenerator<NamedRecord[]>;
  /** Those that are marked. They stay so. */
  marked(erasure: ErasureDocument, sizeOf: () => number): AsyncGenerator<NamedRecord[]>;
  countMarked(erasure: ErasureDocument): Promise<number>;
  /** Out of every index of words at once; an answer that is being given is stopped. */
  mark(erasure: ErasureDocument, some: readonly NamedRecord[]): Promise<void>;
  /** As they were, with words made anew. Returns how many were tried: 0 at the end. */
  restore(erasure: ErasureDocument, size: number): Promise<number>;
  /** For good. Returns how many: 0 at the end. */
  remove(erasure: ErasureDocument, size: number): Promise<number>;
}

/** The unanswered inbox, as far as removing records goes: its groups are made anew without these, before they go. */
export interface InboxGroups {
  remake(groups: Iterable<string>): Promise<void>;
}

export function createErasureRecords(records: RecordModel, inbox?: InboxGroups): ErasureRecords {
  const marks = ({ _id, owner }: ErasureDocument) => ({ owner, erasedBy: _id });

  /** In order, each behind the last one. For what does not leave the condition by being marked. */
  async function* inOrder(condition: RecordCondition, sizeOf: () => number): AsyncGenerator<NamedRecord[]> {
    let behind: RecordCondition = {};
    for (;;) {
      const found = await records
        .find({ ...condition, ...behind }, namedFields)
        .sort({ createdAt: -1, _id: -1 })
        .limit(sizeOf())
        .lean<NamedRecord[]>();
      const last = found.at(-1);
      if (!last) return;
      yield found;
      behind = {
        $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, _id: { $lt: last._id } }],
      };
    }
  }

  async function* selected({ owner, ids }: ErasureDocument, sizeOf: () => number) {
    for (let from = 0; from < ids.length; ) {
      const some = ids.slice(from, from + sizeOf());
      from += some.length;
      yield await records
        .find({ _id: { $in: some }, owner, erasedBy: null }, namedFields)
        .lean<NamedRecord[]>();
    }
  }

  async function* leavingTheIndex(condition: RecordCondition, sizeOf: () => number) {
    for (;;) {
      const found = await records.find(condition, namedFields).limit(sizeOf()).lean<NamedRecord[]>();
      if (found.length === 0) return;
      yield found;
    }
  }

  return {
    unmarked(erasure, named, sizeOf) {
      const { owner, kind } = erasure;
      if (isByIds(erasure)) return selected(erasure, sizeOf);
      const there = { owner, erasedBy: null, ...named };
      return kind === 'conversation' ? inOrder(there, sizeOf) : leavingTheIndex(there, sizeOf);
    },

    there: (erasure, named, sizeOf) =>
      isByIds(erasure)
        ? selected(erasure, sizeOf)
        : inOrder({ $and: [{ owner: erasure.owner, erasedBy: null }, named] }, sizeOf),

    marked: (erasure, sizeOf) => inOrder(marks(erasure), sizeOf),

    countMarked: (erasure) => records.countDocuments(marks(erasure)),

    async mark({ _id, owner }, some) {
      const there = { _id: { $in: idsOf(some) }, owner, erasedBy: null };
      const marked = { erasedBy: _id, stopRequested: true };
      await records.updateMany(
        { ...there, isInInbox: { $ne: true } },
        { $set: marked, $unset: { terms: 1 } },
      );
      // Those in the inbox leave it. Last, so that one which gets in meanwhile is among them.
      await records.updateMany(there, { $set: { ...marked, inboxDue: true }, $unset: { terms: 1 } });
    },

    async restore(erasure, size) {
      const found = await records.find(marks(erasure)).limit(size).lean<RecordDocument[]>();
      if (found.length === 0) return 0;
      const changes: { updateOne: { filter: RecordCondition; update: { $set: Partial<RecordDocument> } } }[] =
        [];
      for (const record of found) {
        // Only as it was read: an answer that ends meanwhile is read once more, for its words.
        const filter = { _id: record._id, ...asItWas(record) };
        const $set = {
          erasedBy: null,
          stopRequested: record.status === 'answering',
          terms: recordTerms(record),
          ...inboxMark({ ...record, erasedBy: null }),
        };
        changes.push({ updateOne: { filter, update: { $set } } });
        // A long answer has many words: other calls come in between.
        await setImmediate();
      }
      await records.bulkWrite(changes);
      return found.length;
    },

    async remove(erasure, size) {
      const found = await records.find(marks(erasure), { inbox: 1 }).limit(size).lean();
      await inbox?.remake(found.flatMap((record) => record.inbox ?? []));
      if (found.length > 0) await records.deleteMany({ _id: { $in: idsOf(found) } });
      return found.length;
    },
  };
}

function idsOf(some: readonly { _id: Types.ObjectId }[]): Types.ObjectId[] {
  return some.map(({ _id }) => _id);
}
