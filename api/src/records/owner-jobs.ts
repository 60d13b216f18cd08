import type { Types } from 'mongoose';
import type { JobKind, Jobs } from '../store/jobs/jobs.ts';

/** Jobs of different owners that one process works on at the same time. */
const concurrency = 16;

export interface Owned {
  _id: Types.ObjectId;
  owner: string;
}

/**
 * Jobs that change an owner's records, each for a stored decision whose id is its key. They are in the queue of their
 * owner: deletions and changes of contacts run one after the other.
 */
export function createOwnerJobs(
  jobs: Pick<Jobs, 'define' | 'add' | 'ensure' | 'whenDone'>,
  kind: string,
  run: JobKind['run'],
) {
  jobs.define({ kind, run, concurrency, maxAttempts: Number.POSITIVE_INFINITY });
  const jobOf = ({ _id, owner }: Owned) => ({ key: _id.toHexString(), queue: `records of ${owner}` });

  return {
    /** Whether it is done. false: it takes more than `withinMs`; its job continues. */
    async finish(one: Owned, withinMs: number): Promise<boolean> {
      const job = jobOf(one);
      await jobs.add(kind, job);
      return jobs.whenDone(kind, job.key, withinMs);
    },

    /** Adds the jobs of what a process decided before it was killed. */
    async resume(some: readonly Owned[]): Promise<void> {
      for (const one of some) await jobs.ensure(kind, jobOf(one));
    },
  };
}
