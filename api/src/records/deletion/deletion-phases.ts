import { setTimeout as delay } from 'node:timers/promises';
import { Types } from 'mongoose';
import { databaseNow } from '../../store/database-clock.ts';
import { inSlices } from '../../store/in-slices.ts';
import type { Job, Jobs } from '../../store/jobs/jobs.ts';
import { newLease, type ThisProcess } from '../../store/process-lease.ts';
import { secureDelete } from '../../store/secure-delete.ts';
import type { Contacts } from '../contacts.ts';
import { type ConversationSummaries, conversationsOf } from '../conversation-summaries.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import { createOwnerJobs } from '../owner-jobs.ts';
import type { RecordHandovers } from '../record-handovers.ts';
import type { RecordModels } from '../record-models.ts';
import type { Audits } from './audits.ts';
import type { DeletionDocument, DeletionModel } from './deletion.ts';
import { createDeletionRecords, type InboxGroups, type NamedRecord } from './deletion-records.ts';

/** Thrown by `check` when another process or an undo has changed the state of the deletion. */
export class StateChanged extends Error {}

export interface DeletedFiles {
  hasFiles(owner: string): Promise<boolean>;
  /** Updates which private documents of the owner are used for answers, according to their records. */
  hideFiles(owner: string, recordIds?: readonly Types.ObjectId[]): Promise<void>;
  deleteFiles: { ofRecords(recordIds: readonly Types.ObjectId[]): Promise<void> };
}

/** A deletion that a job of this process works on. */
export interface HeldDeletion {
  deletion: DeletionDocument;
  /** Whether no job has worked on this state before. */
  isNew: boolean;
  /** Throws if the job has been interrupted or the state has changed. Must be called before every slice. */
  check(): Promise<void>;
  advance(change: Partial<DeletionDocument>, isLast?: boolean): Promise<void>;
}

const day = 86_400_000;

/** Retention of a completed deletion in days, so that its token can be reported as expired or used. */
const retentionDays = 30;

/** Number of dependent items recalculated per batch. */
const slice = 50;

/** Above this number the dependent items are not stored with the deletion but looked up again. */
const maxStored = 100_000;

/** Time after which an undo is tried again while other deletions of its owner are running, in ms. */
const againMs = 250;

type DeletionPhases = ReturnType<typeof createDeletionPhases>;

/**
 * The work in each transient state. Each function ends where `check` throws, and can be repeated from any point.
 * One that must wait returns the number of ms after which to call it again.
 */
export function createDeletionPhases(deps: {
  models: RecordModels;
  hidden: HiddenRecords;
  summaries: ConversationSummaries;
  contacts: Contacts;
  audits: Audits;
  inbox?: InboxGroups | undefined;
  handovers?: Pick<RecordHandovers, 'hide' | 'restore' | 'remove'> | undefined;
  files?: DeletedFiles | undefined;
}) {
  const { models, hidden, summaries, contacts, audits, files } = deps;
  const { deletions, conversations, shares } = models;
  const records = createDeletionRecords(models, deps.inbox, deps.handovers);
  const newPace = createPaces();

  async function gather({ deletion, check }: HeldDeletion, pace: Pace): Promise<Touched> {
    const touched = new Touched();
    const named = await hidden.namedBy(deletion);
    // Unmarked records were hidden as well: items recalculated meanwhile did not include them.
    for (const list of [records.marked(deletion, () => slice), records.there(deletion, named, () => slice)]) {
      for await (const some of list) {
        await check();
        await pace.slice(some.length, async () => touched.add(some));
      }
    }
    return touched;
  }

  /** Items that depend on its records: stored when these were marked, otherwise derived from the marks. */
  async function touchedBy(held: HeldDeletion, pace: Pace): Promise<Touched> {
    const { touched: kept, conversationId } = held.deletion;
    const touched = kept ? Touched.from(kept) : await gather(held, pace);
    if (conversationId) touched.conversations.add(conversationId.toHexString());
    return touched;
  }

  type Work<T> = (some: T[]) => Promise<void>;

  async function each<T>({ check }: HeldDeletion, pace: Pace, list: Iterable<T>, work: Work<T>) {
    for (const some of inSlices([...list], slice)) {
      await check();
      await pace.slice(0, () => work(some));
    }
    await check();
  }

  /** Processes slices until one is empty. */
  async function untilNone({ check }: HeldDeletion, pace: Pace, work: (size: number) => Promise<number>) {
    for (let done = -1; done !== 0; ) {
      await check();
      const { size } = pace;
      done = await pace.slice(size, () => work(size));
    }
  }

  return {
    async erasing(held: HeldDeletion): Promise<void> {
      const { deletion, isNew, check } = held;
      const { _id, owner, conversationId } = deletion;
      const pace = newPace();
      await audits.write(deletion, 'erase');
      // Before the marking, which can take long: from now on these files are not used for answers.
      await files?.hideFiles(owner);
      const hasFiles = (await files?.hasFiles(owner)) === true;
      if (conversationId) {
        // From now on no new record is added to it (see asking.ts).
        await conversations.updateOne(
          { _id: conversationId, owner, erasedBy: null },
          { $set: { erasedBy: _id }, $inc: { revision: 1 } },
        );
      }
      const seen = new Touched();
      for await (const some of records.unmarked(deletion, await hidden.namedBy(deletion), () => pace.size)) {
        await check();
        await pace.slice(some.length, () => records.mark(deletion, some));
        // A question with files may have been added after the check.
        const recordIds = some.map((record) => record._id);
        if (hasFiles) await files?.hideFiles(owner, recordIds);
        seen.add(some);
      }
      const touched = isNew ? seen : await gather(held, pace);
      await each(held, pace, touched.ids(), (some) => summaries.hide(owner, some, _id));
      await each(held, pace, touched.contacts, (some) => contacts.recount(owner, some));
      await held.advance({ state: deletion.ending ? 'purging' : 'erased', touched: touched.kept() });
    },

    async restoring(held: HeldDeletion): Promise<number | undefined> {
      const { deletion } = held;
      const { owner } = deletion;
      const pace = newPace();
      await audits.write(deletion, 'undo');
      // A running deletion names what existed when it was decided, which did not include these records.
      if (await deletions.exists({ owner, state: 'erasing' })) return againMs;
      const touched = await touchedBy(held, pace);
      if (!deletion.touched)
        await deletions.updateOne({ _id: deletion._id }, { $set: { touched: touched.kept() } });
      await untilNone(held, pace, (size) => records.restore(deletion, size));
      await each(held, pace, touched.ids(), (some) => summaries.recount(owner, some));
      await each(held, pace, touched.contacts, (some) => contacts.restore(owner, some));
      await files?.hideFiles(owner);
      await held.check();
      await held.advance({ state: 'restored', ...cleared() });
    },

    async purging(held: HeldDeletion): Promise<void> {
      const { deletion } = held;
      const { _id, owner } = deletion;
      const pace = newPace();
      const touched = await touchedBy(held, pace);
      await each(held, pace, touched.ids(), (some) => summaries.recount(owner, some, _id));
      await deleteFilesOf(held, pace);
      await untilNone(held, pace, (size) => records.remove(deletion, size));
      const emptied = await conversations.find({ owner, erasedBy: _id }, { _id: 1 }).lean();
      const left = emptied.map((conversation) => conversation._id);
      await each(held, pace, left, (some) => removeEmpty(owner, some));
      await each(held, pace, touched.contacts, (some) => contacts.purge(owner, some));
      await audits.write(deletion, deletion.ending === 'expire' ? 'expire' : 'purge');
      // Expired deletions are many at a time: the sweep deletes the files of all of them, unless this one was
      // interrupted.
      await held.advance({ state: 'purged', ...cleared() }, deletion.ending !== 'expire' || !held.isNew);
    },
  };

  /** Must run while the records still name their files. */
  async function deleteFilesOf({ deletion, check }: HeldDeletion, pace: Pace): Promise<void> {
    if (!files || !(await files.hasFiles(deletion.owner))) return;
    for await (const some of records.marked(deletion, () => slice)) {
      await check();
      await pace.slice(0, () => files.deleteFiles.ofRecords(some.map(({ _id }) => _id)));
    }
    await check();
  }

  async function removeEmpty(owner: string, ids: Types.ObjectId[]): Promise<void> {
    const full = await conversationsOf(models.records, { owner, conversationId: { $in: ids } });
    const empty = ids.filter((id) => !full.has(id.toHexString()));
    await conversations.deleteMany({ _id: { $in: empty }, owner, erasedBy: { $ne: null } });
    await shares.deleteMany({ owner, conversationId: { $in: empty } });
    const kept = ids.filter((id) => full.has(id.toHexString()));
    await summaries.recount(owner, kept);
  }
}

/** Cleared when a deletion's records are purged or restored: nothing of its content remains. */
function cleared(): Partial<DeletionDocument> {
  return {
    contactId: null,
    contactName: '',
    ids: [],
    except: [],
    touched: null,
    forgetAt: new Date(databaseNow() + retentionDays * day),
  };
}

/** Distinct conversations and contacts of a deletion's records. */
class Touched {
  readonly conversations = new Set<string>();
  readonly contacts = new Set<string>();

  static from({ conversations, contacts }: NonNullable<DeletionDocument['touched']>): Touched {
    const touched = new Touched();
    for (const id of conversations) touched.conversations.add(id.toHexString());
    for (const id of contacts) touched.contacts.add(id);
    return touched;
  }

  add(some: readonly NamedRecord[]): void {
    for (const { conversationId, contact } of some) {
      this.conversations.add(conversationId.toHexString());
      if (contact) this.contacts.add(contact.id);
    }
  }

  ids(): Types.ObjectId[] {
    return Array.from(this.conversations, (id) => new Types.ObjectId(id));
  }

  kept(): DeletionDocument['touched'] {
    if (this.conversations.size > maxStored || this.contacts.size > maxStored) return null;
    return { conversations: this.ids(), contacts: [...this.contacts] };
  }
}

/** Target duration of a slice of work in the store, in ms: between two slices the store serves other requests. */
const aimMs = 60;
const minSize = 12;
const maxSize = 256;
/** Maximum pause after a slice, in ms; a pause takes half the time of the slice. */
const maxPauseMs = 50;

type Pace = ReturnType<ReturnType<typeof createPaces>>;

/**
 * Paces split long work in the store into slices that hardly affect other requests, adapting to the speed of the
 * machine and the size of the items. All of one such function take turns: one slice at a time.
 */
function createPaces() {
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  }

  return () => {
    let size = 16;
    return {
      get size() {
        return size;
      },
      /** Runs a slice of `count` items when it is its turn, adapts the size, and pauses. */
      slice: <T>(count: number, work: () => Promise<T>): Promise<T> =>
        inTurn(async () => {
          const began = performance.now();
          const result = await work();
          const took = performance.now() - began;
          if (took > aimMs) size = Math.max(minSize, Math.floor(size / 2));
          else if (took < aimMs / 2 && count >= size) size = Math.min(maxSize, Math.ceil(size * 1.5));
          await delay(Math.min(took / 2, maxPauseMs));
          return result;
        }),
    };
  };
}

const underWay = ['erasing', 'restoring', 'purging'] as const;
type Transient = (typeof underWay)[number];

/** Interval at which a running job verifies the state of its deletion, in ms. */
export const checkEveryMs = 200;
/** Interval of attempts while the records are transferred to another owner, in ms. */
const movingMs = 500;

/** Continues deletions until each reaches a final state: a job for each, in the queue of its owner. */
export function createDeletionWork(deps: {
  deletions: DeletionModel;
  phases: DeletionPhases;
  self: ThisProcess;
  jobs: Pick<Jobs, 'define' | 'add' | 'ensure' | 'whenDone'>;
}) {
  const { deletions, phases, self } = deps;

  /** Condition under which a job may continue with a deletion. */
  const unchanged = ({ _id, owner, state, ending }: DeletionDocument) => {
    return { _id, owner, state, ending, isMoving: { $ne: true } };
  };

  function held(deletion: DeletionDocument, signal: AbortSignal): HeldDeletion {
    let checkedAt = databaseNow();
    return {
      deletion,
      isNew: deletion.lease === null,
      async check() {
        signal.throwIfAborted();
        const now = databaseNow();
        if (now - checkedAt < checkEveryMs) return;
        checkedAt = now;
        if (!(await deletions.exists(unchanged(deletion)))) throw new StateChanged();
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
      if (begun.matchedCount === 0) continue;
      try {
        const again = await phases[deletion.state as Transient](held(deletion, signal));
        if (again) return again;
      } catch (error) {
        if (!(error instanceof StateChanged)) throw error;
      }
    }
  }

  const work = createOwnerJobs(deps.jobs, 'delete records', run);
  return {
    finish: work.finish,

    /** Adds the jobs of deletions that a process decided before it was killed; of one owner if given. */
    async resume(some: { owner?: string } = {}): Promise<void> {
      await work.resume(await deletions.find({ ...some, state: { $in: underWay } }, { owner: 1 }).lean());
    },
  };
}
