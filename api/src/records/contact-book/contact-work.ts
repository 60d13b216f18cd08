import type { Jobs } from '../../store/jobs/jobs.ts';
import { ownerQueue } from '../owner-queue.ts';
import type { ContactCardModel } from './contact-card.ts';
import type { ContactChanges } from './contact-changes.ts';

/** Changes of different owners that one process works on at the same time. */
const concurrency = 16;

const kind = 'change contact';

export type ContactWork = ReturnType<typeof createContactWork>;

/** Finishes renames and merges of contacts: a job for each, in the queue of its owner. */
export function createContactWork(deps: {
  cards: ContactCardModel;
  changes: Pick<ContactChanges, 'finish'>;
  jobs: Pick<Jobs, 'define' | 'add' | 'ensure' | 'whenDone'>;
}) {
  const { cards, changes, jobs } = deps;

  jobs.define({
    kind,
    concurrency,
    maxAttempts: Number.POSITIVE_INFINITY,
    async run({ key }) {
      const card = await cards.findById(key).lean();
      return card ? changes.finish(card.owner, card.contactId) : undefined;
    },
  });

  const jobsOf = async (some: { owner?: string; contactId?: string }) =>
    (await cards.find({ ...some, 'change.id': { $exists: true } }, { owner: 1 }).lean()).map(
      ({ _id, owner }) => ({ key: _id.toHexString(), queue: ownerQueue(owner) }),
    );

  return {
    /** When no change of them is under way. false: it takes more than `withinMs`; its job continues. */
    async finish(some: { owner: string; contactId?: string }, withinMs: number): Promise<boolean> {
      let isDone = true;
      for (const job of await jobsOf(some)) {
        await jobs.add(kind, job);
        isDone &&= await jobs.whenDone(kind, job.key, withinMs);
      }
      return isDone;
    },

    /** Adds the jobs of changes that a process decided before it was killed. */
    async resume(): Promise<void> {
      for (const job of await jobsOf({})) await jobs.ensure(kind, job);
    },
  };
}
