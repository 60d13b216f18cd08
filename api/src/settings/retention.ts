import { userOwner } from '../accounts/guests.ts';
import type { UserModel } from '../accounts/user.ts';
import { dayOf } from '../records/day-range.ts';
import type { Erasures } from '../records/erasure/erasures.ts';
import type { RecordModel } from '../records/record.ts';
import { maxTimeMS } from '../store/query-limit.ts';

const dayMs = 86_400_000;

/** Deletes records of accounts after a number of days. */
export interface Retention {
  /** Number of records that are due with `days`. */
  count(days: number): Promise<number>;
  /** Deletes what is due, as their owners would: they can restore it for UNDO_DAYS. */
  sweep(signal: AbortSignal): Promise<void>;
}

/** `days` is null if records are kept. */
export function createRetention(
  { users, records }: { users: UserModel; records: RecordModel },
  erasures: Pick<Erasures, 'eraseDays'>,
  days: () => number | null,
): Retention {
  const due = (before: Date) => ({ erasedBy: null, createdAt: { $lt: before } });

  return {
    count: (after) =>
      records
        .countDocuments({ owner: { $gte: 'user:', $lt: 'user;' }, ...due(startOf(after)) })
        .maxTimeMS(maxTimeMS),

    async sweep(signal) {
      const after = days();
      if (after === null) return;
      const before = startOf(after);
      const to = dayOf(new Date(before.getTime() - 1), 'UTC');
      for (const { _id } of await users.find({ deletedAt: null }, { _id: 1 }).lean()) {
        // An administrator may have changed it meanwhile.
        if (signal.aborted || days() !== after) return;
        const owner = userOwner(_id);
        const oldest = await records
          .findOne({ owner, ...due(before) }, { createdAt: 1 })
          .sort({ createdAt: 1 })
          .lean();
        if (!oldest) continue;
        const from = dayOf(oldest.createdAt, 'UTC');
        await erasures.eraseDays(owner, { from, to, tz: 'UTC' }, undefined, false);
      }
    },
  };
}

/** Start of the day (UTC) `days` ago: whole days are deleted, and none before its time. */
function startOf(days: number): Date {
  return new Date(Math.floor((Date.now() - days * dayMs) / dayMs) * dayMs);
}
