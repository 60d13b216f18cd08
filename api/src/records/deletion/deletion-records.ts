import { setImmediate } from 'node:timers/promises';
import type { AnyBulkWriteOperation, Types } from 'mongoose';
import { unchangedSince } from '../change-record.ts';
import { isByIds, type RecordCondition } from '../hidden-records.ts';
import type { RecordDocument } from '../record.ts';
import type { RecordHandovers } from '../record-handovers.ts';
import type { RecordModels } from '../record-models.ts';
import { recordTerms } from '../search/record-terms.ts';
import { createCountedDays } from '../statistics/counted-days.ts';
import { inboxMark } from '../unanswered-mark.ts';
import type { DeletionDocument } from './deletion.ts';

/** The fields of a record that a deletion needs to recalculate dependent items. */
export type NamedRecord = Pick<RecordDocument, '_id' | 'conversationId' | 'createdAt'> & {
  contact: { id: string } | null;
};

const namedFields = { conversationId: 1, createdAt: 1, 'contact.id': 1 } as const;

/** Groups of the unanswered inbox are recalculated before their records are removed. */
export interface InboxGroups {
  recalculate(groups: Iterable<string>): Promise<void>;
}

/** Finds, marks, restores and removes the records of deletions in slices. All operations can be repeated. */
export function createDeletionRecords(
  models: Pick<RecordModels, 'records' | 'countedDays'>,
  inbox?: InboxGroups,
  handovers?: Pick<RecordHandovers, 'hide' | 'restore' | 'remove'>,
) {
  const { records } = models;
  const countedDays = createCountedDays(models);
  const marks = ({ _id, owner }: DeletionDocument) => ({ owner, erasedBy: _id });

  /** In order of id, each slice after the previous one. For conditions that marking does not change. */
  async function* inOrder(condition: RecordCondition, sizeOf: () => number): AsyncGenerator<NamedRecord[]> {
    let after: RecordCondition = {};
    for (;;) {
      const found = await records
        .find({ ...condition, ...after }, namedFields)
        .sort({ createdAt: -1, _id: -1 })
        .limit(sizeOf())
        .lean<NamedRecord[]>();
      const last = found.at(-1);
      if (!last) return;
      yield found;
      after = {
        $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, _id: { $lt: last._id } }],
      };
    }
  }

  async function* selected({ owner, ids }: DeletionDocument, sizeOf: () => number) {
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
    /** Named records that are not marked yet, in slices. They must be marked before the next slice is requested. */
    unmarked(deletion: DeletionDocument, named: RecordCondition, sizeOf: () => number) {
      const { owner, kind } = deletion;
      if (isByIds(deletion)) return selected(deletion, sizeOf);
      const there = { owner, erasedBy: null, ...named };
      return kind === 'conversation' ? inOrder(there, sizeOf) : leavingTheIndex(there, sizeOf);
    },

    /** The same, without marking them. */
    there: (deletion: DeletionDocument, named: RecordCondition, sizeOf: () => number) =>
      isByIds(deletion)
        ? selected(deletion, sizeOf)
        : inOrder({ $and: [{ owner: deletion.owner, erasedBy: null }, named] }, sizeOf),

    /** The marked records, without unmarking them. */
    marked: (deletion: DeletionDocument, sizeOf: () => number) => inOrder(marks(deletion), sizeOf),

    /** Marks records and removes them from the search index; an answer in progress is stopped. */
    async mark({ _id, owner }: DeletionDocument, some: readonly NamedRecord[]): Promise<void> {
      await handovers?.hide(_id, idsOf(some));
      const there = { _id: { $in: idsOf(some) }, owner, erasedBy: null };
      const marked = { erasedBy: _id, stopRequested: true };
      await records.updateMany(
        { ...there, isInInbox: { $ne: true } },
        { $set: marked, $unset: { terms: 1 } },
      );
      // Records in the inbox are removed from it. Done last to include any that were added meanwhile.
      await records.updateMany(there, { $set: { ...marked, inboxDue: true }, $unset: { terms: 1 } });
    },

    /** Restores records with their terms, and handovers after the last one. Returns how many it tried; 0 at the end. */
    async restore(deletion: DeletionDocument, size: number): Promise<number> {
      const found = await records.find(marks(deletion)).limit(size).lean<RecordDocument[]>();
      if (found.length === 0) {
        await handovers?.restore(deletion._id);
        return 0;
      }
      const changes: AnyBulkWriteOperation<RecordDocument>[] = [];
      for (const record of found) {
        // Optimistic: if an answer ends meanwhile, the record is read again for its terms.
        const filter = { _id: record._id, ...unchangedSince(record) };
        const $set = {
          erasedBy: null,
          stopRequested: record.status === 'answering',
          terms: recordTerms(record),
          ...inboxMark({ ...record, erasedBy: null }),
        };
        changes.push({ updateOne: { filter, update: { $set } } });
        // A long answer has many terms: let other requests run in between.
        await setImmediate();
      }
      await records.bulkWrite(changes);
      return found.length;
    },

    /** Deletes records permanently. Returns the number: 0 at the end. */
    async remove(deletion: DeletionDocument, size: number): Promise<number> {
      const kept = { inbox: 1, createdAt: 1, isCounted: 1 } as const;
      const found = await records.find(marks(deletion), kept).limit(size).lean();
      await inbox?.recalculate(found.flatMap((record) => record.inbox ?? []));
      await countedDays.recount(
        deletion.owner,
        found.filter(({ isCounted }) => !isCounted),
      );
      if (found.length > 0) {
        await handovers?.remove(idsOf(found));
        await records.deleteMany({ _id: { $in: idsOf(found) } });
      }
      return found.length;
    },
  };
}

function idsOf(some: readonly { _id: Types.ObjectId }[]): Types.ObjectId[] {
  return some.map(({ _id }) => _id);
}
