import { setTimeout as delay } from 'node:timers/promises';
import { Types } from 'mongoose';
import { inSlices } from '../../store/in-slices.ts';
import { createPaces, type Pace } from '../../store/pace.ts';
import type { Contacts } from '../contacts.ts';
import type { ConversationStanding } from '../conversation-standing.ts';
import type { RecordModels } from '../record-models.ts';
import type { Audits } from './audits.ts';
import type { ErasureDocument } from './erasure.ts';
import { createErasureRecords, type InboxGroups, type NamedRecord } from './erasure-records.ts';
import type { HiddenRecords } from './hidden-records.ts';

/** The files of records, as far as erasing goes. */
export interface ErasedFiles {
  hasFiles(owner: string): Promise<boolean>;
  /** Private documents of the owner's answer questions again, or no more, as their records are. */
  hideFiles(owner: string, recordIds?: readonly Types.ObjectId[]): Promise<void>;
  forgetFiles: { ofRecords(recordIds: readonly Types.ObjectId[]): Promise<void> };
}

/** An erasure that this process is at. */
export interface Held {
  erasure: ErasureDocument;
  /** Nobody was at it before. */
  isNew: boolean;
  /** Whether it is still this process's to go on with, in the same state. To be asked before every slice. */
  goesOn(): Promise<boolean>;
  /** Moves it on and lets go of it. */
  advance(change: Partial<ErasureDocument>, isLast?: boolean): Promise<void>;
}

/** What is done in each state that does not last. Each ends quietly where `goesOn` says no, and can be done again from anywhere. */
export interface ErasurePhases {
  erasing(held: Held): Promise<void>;
  restoring(held: Held): Promise<void>;
  purging(held: Held): Promise<void>;
}

const day = 86_400_000;
/** Days that the store remembers an erasure whose records are gone or back, so that its token is told to be too late, or used. */
const rememberDays = 30;
/** Things that belong to its records are made anew so many in one go. */
const slice = 50;
/** More than so many are not kept with the erasure, and looked for again. */
const mostKept = 100_000;
/** How often a restoring looks whether deletions of the same owner are through, in ms. */
const lookAgainMs = 50;

export function createErasurePhases(deps: {
  models: RecordModels;
  hidden: HiddenRecords;
  standing: ConversationStanding;
  contacts: Contacts;
  audits: Audits;
  inbox?: InboxGroups | undefined;
  files?: ErasedFiles | undefined;
}): ErasurePhases {
  const { models, hidden, standing, contacts, audits, files } = deps;
  const { erasures, conversations } = models;
  const records = createErasureRecords(models.records, deps.inbox);
  const newPace = createPaces();

  /** Null: it does not go on. */
  async function gather({ erasure, goesOn }: Held, pace: Pace): Promise<Touched | null> {
    const touched = new Touched();
    const named = await hidden.namedBy(erasure);
    // Those that are not marked were hidden as well: whatever was made anew meanwhile left them out.
    for (const list of [records.marked(erasure, () => slice), records.there(erasure, named, () => slice)]) {
      for await (const some of list) {
        if (!(await goesOn())) return null;
        await pace.slice(some.length, async () => touched.add(some));
      }
    }
    return touched;
  }

  /** What its records belong to: kept since they were marked, else as the marks say. */
  async function touchedBy(held: Held, pace: Pace): Promise<Touched | null> {
    const { touched: kept, conversationId } = held.erasure;
    const touched = kept ? Touched.from(kept) : await gather(held, pace);
    if (conversationId) touched?.conversations.add(conversationId.toHexString());
    return touched;
  }

  async function each<T>(
    { goesOn }: Held,
    pace: Pace,
    list: readonly T[],
    work: (some: T[]) => Promise<void>,
  ): Promise<boolean> {
    for (const some of inSlices(list, slice)) {
      if (!(await goesOn())) return false;
      await pace.slice(0, () => work(some));
    }
    return goesOn();
  }

  /** Does slices until one finds nothing. */
  async function untilNone(
    { goesOn }: Held,
    pace: Pace,
    work: (size: number) => Promise<number>,
  ): Promise<boolean> {
    for (;;) {
      if (!(await goesOn())) return false;
      const { size } = pace;
      if ((await pace.slice(size, () => work(size))) === 0) return true;
    }
  }

  return {
    async erasing(held) {
      const { erasure, isNew, goesOn } = held;
      const { _id, owner, conversationId } = erasure;
      const pace = newPace();
      await audits.write(erasure, 'erase');
      // Before the marks, which can take long: from now on nothing is answered from them.
      await files?.hideFiles(owner);
      const hasFiles = (await files?.hasFiles(owner)) === true;
      if (conversationId) {
        // From now on no new record gets into it (see asking.ts).
        await conversations.updateOne(
          { _id: conversationId, owner, erasedBy: null },
          { $set: { erasedBy: _id }, $inc: { revision: 1 } },
        );
      }
      const seen = new Touched();
      for await (const some of records.unmarked(erasure, await hidden.namedBy(erasure), () => pace.size)) {
        if (!(await goesOn())) return;
        await pace.slice(some.length, () => records.mark(erasure, some));
        // A question with files may have been put since all were looked at.
        if (hasFiles)
          await files?.hideFiles(
            owner,
            some.map(({ _id: record }) => record),
          );
        seen.add(some);
      }
      const touched = isNew ? seen : await gather(held, pace);
      if (!touched) return;
      if (!(await each(held, pace, touched.ids(), (some) => standing.hide(owner, some, _id)))) return;
      if (!(await each(held, pace, [...touched.contacts], (some) => contacts.recount(owner, some)))) return;
      await held.advance({ state: erasure.ending ? 'purging' : 'erased', touched: touched.kept() });
    },

    async restoring(held) {
      const { erasure, goesOn } = held;
      const { owner } = erasure;
      const pace = newPace();
      await audits.write(erasure, 'undo');
      // A deletion under way names what was there when it was decided: these records were not.
      while (await erasures.exists({ owner, state: 'erasing' })) {
        if (!(await goesOn())) return;
        await delay(lookAgainMs);
      }
      const touched = await touchedBy(held, pace);
      if (!touched) return;
      if (!erasure.touched)
        await erasures.updateOne({ _id: erasure._id }, { $set: { touched: touched.kept() } });
      if (!(await untilNone(held, pace, (size) => records.restore(erasure, size)))) return;
      if (!(await each(held, pace, touched.ids(), (some) => standing.recount(owner, some)))) return;
      if (!(await each(held, pace, [...touched.contacts], (some) => contacts.recount(owner, some)))) return;
      await files?.hideFiles(owner);
      if (await goesOn()) await held.advance({ state: 'restored', ...forgotten() });
    },

    async purging(held) {
      const { erasure } = held;
      const { _id, owner } = erasure;
      const pace = newPace();
      const touched = await touchedBy(held, pace);
      if (!touched) return;
      if (!(await each(held, pace, touched.ids(), (some) => standing.leave(owner, some, _id)))) return;
      if (!(await forgetFilesOf(held, pace))) return;
      if (!(await untilNone(held, pace, (size) => records.remove(erasure, size)))) return;
      const emptied = await conversations.find({ owner, erasedBy: _id }, { _id: 1 }).lean();
      const left = emptied.map((conversation) => conversation._id);
      if (!(await each(held, pace, left, (some) => removeEmpty(owner, some)))) return;
      if (!(await each(held, pace, [...touched.contacts], (some) => contacts.recount(owner, some)))) return;
      await audits.write(erasure, erasure.ending === 'expire' ? 'expire' : 'purge');
      // What expires is many at a time: the sweep sees to the files for all of them, unless this was cut short.
      await held.advance({ state: 'purged', ...forgotten() }, erasure.ending !== 'expire' || !held.isNew);
    },
  };

  /** While the records still say which they are. */
  async function forgetFilesOf({ erasure, goesOn }: Held, pace: Pace): Promise<boolean> {
    if (!files || !(await files.hasFiles(erasure.owner))) return true;
    for await (const some of records.marked(erasure, () => slice)) {
      if (!(await goesOn())) return false;
      await pace.slice(0, () => files.forgetFiles.ofRecords(some.map(({ _id }) => _id)));
    }
    return goesOn();
  }

  async function removeEmpty(owner: string, ids: Types.ObjectId[]): Promise<void> {
    const held: { _id: Types.ObjectId }[] = await models.records.aggregate([
      { $match: { owner, conversationId: { $in: ids } } },
      { $group: { _id: '$conversationId' } },
    ]);
    const full = new Set(held.map(({ _id }) => _id.toHexString()));
    const empty = ids.filter((id) => !full.has(id.toHexString()));
    await conversations.deleteMany({ _id: { $in: empty }, owner, erasedBy: { $ne: null } });
    await standing.recount(
      owner,
      ids.filter((id) => full.has(id.toHexString())),
    );
  }
}

/** What is kept of an erasure when its records are gone or back: nothing that says what it was about. */
function forgotten(): Partial<ErasureDocument> {
  return {
    contactId: null,
    contactName: '',
    ids: [],
    except: [],
    touched: null,
    forgetAt: new Date(Date.now() + rememberDays * day),
  };
}

/** Conversations and contacts of an erasure's records, each once. */
class Touched {
  readonly conversations = new Set<string>();
  readonly contacts = new Set<string>();

  static from({ conversations, contacts }: NonNullable<ErasureDocument['touched']>): Touched {
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

  kept(): ErasureDocument['touched'] {
    if (this.conversations.size > mostKept || this.contacts.size > mostKept) return null;
    return { conversations: this.ids(), contacts: [...this.contacts] };
  }
}
