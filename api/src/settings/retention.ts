import type { UserModel } from '../accounts/account-models.ts';
import { userOwner } from '../accounts/guests.ts';
import type { Deletions } from '../records/deletion/deletions.ts';
import type { RecordModel } from '../records/record.ts';
import { databaseNow } from '../store/database-clock.ts';
import { maxTimeMS } from '../store/query-limit.ts';
import { dayOf } from '../text/day-range.ts';

const dayMs = 86_400_000;

export type Retention = ReturnType<typeof createRetention>;

/** Deletes records of accounts after `days`; null: never. */
export function createRetention(
  { users, records }: { users: UserModel; records: RecordModel },
  deletions: Pick<Deletions, 'deleteDays'>,
  days: () => number | null,
) {
  const due = (before: Date) => ({ erasedBy: null, createdAt: { $lt: before } });

  return {
    /** Number of records that are due with `days`. */
    async count(after: number): Promise<number> {
      const ofAccounts = { owner: { $gte: 'user:', $lt: 'user;' }, ...due(startOf(after)) };
      return records.countDocuments(ofAccounts).maxTimeMS(maxTimeMS);
    },

    /** Deletes records that are due, as their owners would: they can restore them for UNDO_DAYS. */
    async sweep(signal: AbortSignal): Promise<void> {
      const after = days();
      if (after === null) return;
      const before = startOf(after);
      const to = dayOf(new Date(before.getTime() - 1), 'UTC');
      for (const { _id } of await users.find({ deletedAt: null }, { _id: 1 }).lean()) {
        // An administrator may have changed it meanwhile.
        if (signal.aborted || days() !== after) return;
        const owner = userOwner(_id);
        const old = { owner, ...due(before) };
        const oldest = await records.findOne(old, { createdAt: 1 }).sort({ createdAt: 1 }).lean();
        if (!oldest) continue;
        const from = dayOf(oldest.createdAt, 'UTC');
        await deletions.deleteDays(owner, { from, to, tz: 'UTC' }, undefined, false);
      }
    },
  };
}

/** Start of the day (UTC) `days` ago: whole days are deleted, and none before its time. */
function startOf(days: number): Date {
  return new Date(Math.floor((databaseNow() - days * dayMs) / dayMs) * dayMs);
}
