import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import { databaseNow } from '../../store/database-clock.ts';
import { isDead, leaseMs, newLease, type ThisProcess } from '../../store/process-lease.ts';
import { secureDelete } from '../../store/secure-delete.ts';
import type { DeletionDocument, DeletionModel } from './deletion.ts';
import type { DeletionPhases, LeasedDeletion } from './deletion-phases.ts';

/** Transient states. */
export const underWay = ['erasing', 'restoring', 'purging'] as const;

/** Interval at which the lease of a deletion is verified, in ms. */
export const checkEveryMs = 200;

export type DeletionWork = ReturnType<typeof createDeletionWork>;

/** Continues deletions until each reaches a final state, in one process at a time. */
export function createDeletionWork(deps: {
  deletions: DeletionModel;
  phases: DeletionPhases;
  self: ThisProcess;
  log: Pick<Logger, 'warn'>;
}) {
  const { deletions, phases, self, log } = deps;
  const running = new Map<string, Promise<void>>();
  let isStopping = false;

  /** Condition under which this process may continue with a deletion. */
  const mine = ({ _id, owner, state, ending }: DeletionDocument) => ({
    _id,
    owner,
    state,
    ending,
    isMoving: { $ne: true },
    'lease.process': self.process,
  });

  async function claim(_id: Types.ObjectId): Promise<LeasedDeletion | null> {
    const before = await deletions.findOne({ _id, state: { $in: underWay } }).lean();
    if (!before || before.isMoving) return null;
    const { owner, state, lease } = before;
    if (lease && lease.process !== self.process && !isDead(lease, self)) return null;
    const deletion = await deletions
      .findOneAndUpdate(
        { _id, owner, state, isMoving: { $ne: true }, 'lease.process': lease?.process ?? null },
        { $set: { lease: newLease(self) } },
        { returnDocument: 'after' },
      )
      .lean();
    return deletion && held(deletion, lease === null);
  }

  function held(deletion: DeletionDocument, isNew: boolean): LeasedDeletion {
    let checkedAt = databaseNow();
    let renewedAt = checkedAt;
    return {
      deletion,
      isNew,
      async stillOwnsLease() {
        if (isStopping) return false;
        const now = databaseNow();
        if (now - checkedAt < checkEveryMs) return true;
        checkedAt = now;
        if (now - renewedAt < leaseMs / 4) return (await deletions.exists(mine(deletion))) !== null;
        renewedAt = now;
        const { until } = newLease(self);
        const renewed = await deletions.updateOne(mine(deletion), { $set: { 'lease.until': until } });
        return renewed.matchedCount === 1;
      },
      async advance(change, isLast = false) {
        const update = { $set: { ...change, lease: null } };
        await deletions.updateOne(mine(deletion), update, isLast ? { writeConcern: secureDelete } : {});
      },
    };
  }

  async function run(_id: Types.ObjectId): Promise<void> {
    while (!isStopping) {
      const claimed = await claim(_id);
      if (!claimed) return;
      const { state } = claimed.deletion;
      if (state === 'erasing') await phases.erasing(claimed);
      else if (state === 'restoring') await phases.restoring(claimed);
      else await phases.purging(claimed);
    }
    // Releases the lease, so that another process need not wait for its expiry.
    await deletions.updateOne(
      { _id, 'lease.process': self.process },
      { $set: { 'lease.until': new Date(0) } },
    );
  }

  /**
   * Resolves when this process has nothing left to do: the state is final, or another process holds the
   * lease. Errors are logged and retried later.
   */
  function drive(_id: Types.ObjectId): Promise<void> {
    const id = _id.toHexString();
    // Runs after the current run, which may just have checked for the last time.
    const work = (running.get(id) ?? Promise.resolve())
      .then(() => run(_id))
      .catch((cause: unknown) =>
        log.warn({ deletion: id, err: cause }, 'a deletion was interrupted and will be retried'),
      )
      .finally(() => running.get(id) === work && running.delete(id));
    running.set(id, work);
    return work;
  }

  return {
    drive,

    /** Starts all deletions left unfinished by a crash, a shutdown or another process; of one owner if given. */
    async resume(owner?: string): Promise<void> {
      const ofOwner = owner === undefined ? {} : { owner };
      const unfinished = await deletions.find({ ...ofOwner, state: { $in: underWay } }, { _id: 1 }).lean();
      for (const { _id } of unfinished) if (!running.has(_id.toHexString())) void drive(_id);
    },

    /** Releases all leases after the current slice. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(running.values());
    },
  };
}
