import { databaseNow } from '../../store/database-clock.ts';
import type { Job, Jobs } from '../../store/jobs/jobs.ts';
import { newLease, type ThisProcess } from '../../store/process-lease.ts';
import { secureDelete } from '../../store/secure-delete.ts';
import { ownerQueue } from '../owner-queue.ts';
import type { DeletionDocument, DeletionModel } from './deletion.ts';
import type { DeletionPhases, HeldDeletion } from './deletion-phases.ts';

const underWay = ['erasing', 'restoring', 'purging'] as const;
type Transient = (typeof underWay)[number];

/** Interval at which a running job verifies the state of its deletion, in ms. */
export const checkEveryMs = 200;
/** Interval of attempts while the records are transferred to another owner, in ms. */
const movingMs = 500;
/** Deletions of different owners that one process works on at the same time. */
const concurrency = 16;

const kind = 'delete records';

/** Continues deletions until each reaches a final state: a job for each, in the queue of its owner. */
export function createDeletionWork(deps: {
  deletions: DeletionModel;
  phases: DeletionPhases;
  self: ThisProcess;
  jobs: Pick<Jobs, 'define' | 'add' | 'ensure' | 'whenDone'>;
}) {
  const { deletions, phases, self, jobs } = deps;

  /** Condition under which a job may continue with a deletion. */
  const unchanged = ({ _id, owner, state, ending }: DeletionDocument) => ({
    _id,
    owner,
    state,
    ending,
    isMoving: { $ne: true },
  });

  function held(deletion: DeletionDocument, signal: AbortSignal): HeldDeletion {
    let checkedAt = databaseNow();
    return {
      deletion,
      isNew: deletion.lease === null,
      async mayContinue() {
        if (signal.aborted) return false;
        const now = databaseNow();
        if (now - checkedAt < checkEveryMs) return true;
        checkedAt = now;
        return (await deletions.exists(unchanged(deletion))) !== null;
      },
      async advance(change, isLast = false) {
        const update = { $set: { ...change, lease: null } };
        await deletions.updateOne(unchanged(deletion), update, isLast ? { writeConcern: secureDelete } : {});
      },
    };
  }

  async function run({ key }: Pick<Job, 'key'>, signal: AbortSignal): Promise<number | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const deletion = await deletions.findOne({ _id: key, state: { $in: underWay } }).lean();
      if (!deletion) return;
      if (deletion.isMoving) return movingMs;
      const begun = await deletions.updateOne(unchanged(deletion), { $set: { lease: newLease(self) } });
      const again =
        begun.matchedCount === 1 && (await phases[deletion.state as Transient](held(deletion, signal)));
      if (again) return again;
    }
  }

  jobs.define({ kind, run, concurrency, maxAttempts: Number.POSITIVE_INFINITY });

  const jobOf = ({ _id, owner }: Pick<DeletionDocument, '_id' | 'owner'>) => ({
    key: _id.toHexString(),
    queue: ownerQueue(owner),
  });

  return {
    /** Resolves when the state of the deletion is final, at the latest after `withinMs`; a job continues then. */
    async finish(deletion: Pick<DeletionDocument, '_id' | 'owner'>, withinMs: number): Promise<void> {
      const job = jobOf(deletion);
      await jobs.add(kind, job);
      await jobs.whenDone(kind, job.key, withinMs);
    },

    /** Adds the jobs of deletions that a process decided before it was killed; of one owner if given. */
    async resume(owner?: string): Promise<void> {
      const ofOwner = owner === undefined ? {} : { owner };
      const some = { ...ofOwner, state: { $in: underWay } };
      for (const one of await deletions.find(some, { owner: 1 }).lean()) await jobs.ensure(kind, jobOf(one));
    },
  };
}
