import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Types } from 'mongoose';
import type { Contact } from '../../contract/records.ts';
import { ApiError } from '../../errors/errors.ts';
import { databaseDate } from '../../store/database-clock.ts';
import type { Jobs } from '../../store/jobs/jobs.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import type { Contacts } from '../contacts.ts';
import type { ConversationSummaries } from '../conversation-summaries.ts';
import type { RecordCondition } from '../hidden-records.ts';
import { ownerQueue } from '../owner-queue.ts';
import type { RecordModels } from '../record-models.ts';
import { contactTerm } from '../search/record-terms.ts';
import type { ContactCardDocument, ContactCardModel } from './contact-card.ts';
import { addNote } from './contact-notes.ts';
import { createUndoContact } from './undo-contact.ts';

/** Records per write, so that other requests run in between. */
const slice = 100;

/** Maximum time to wait for the owner's deletions, in ms, and the interval of attempts. */
const maxWaitMs = 30_000;
const againMs = 250;

export type ContactChanges = ReturnType<typeof createContactChanges>;

/** Renames and merges that were decided by setting `change` of a contact's card. */
export function createContactChanges(
  models: RecordModels,
  contacts: Pick<Contacts, 'recount'>,
  summaries: Pick<ConversationSummaries, 'recount'>,
) {
  const { records, conversations, deletions, contactCards: cards, contactUndos: undos } = models;
  const undoContact = createUndoContact(models, contacts, summaries);

  const current = (owner: string, contactId: string) =>
    cards.findOne({ owner, contactId, 'change.id': { $exists: true } }).lean();

  /** At most `slice` records. */
  const some = (condition: RecordCondition) =>
    records
      .find(condition, { contact: 1 })
      .limit(slice)
      .lean<{ _id: Types.ObjectId; contact: Contact | null }[]>();

  /** Stores what undoing needs, before anything changes. */
  async function prepareUndo({ owner, contactId, change, note, isErased }: Pending): Promise<void> {
    const _id = change.undo;
    if (!_id || (await undos.exists({ _id }))) return;
    const theirs = { owner, 'contact.id': contactId, erasedBy: null };
    const isMerge = change.id !== contactId;
    const into = isMerge ? await cards.findOne({ owner, contactId: change.id }).lean() : null;
    const followers = isMerge
      ? await cards.find({ owner, mergedInto: contactId }, { contactId: 1 }).lean()
      : [];
    const name = (await models.contacts.findOne({ owner, contactId }, { name: 1 }).lean())?.name ?? '';
    await unlessDuplicate(
      undos.create({
        _id,
        owner,
        undoToken: randomBytes(24).toString('base64url'),
        state: 'changing',
        from: { id: contactId, name },
        into: { id: change.id, name: change.name },
        note: isMerge && !isErased ? note : '',
        intoNote: into && !into.isErased ? into.note : '',
        followers: followers.map((card) => card.contactId),
        records: await records.countDocuments(theirs),
        createdAt: databaseDate(),
        undoUntil: change.undoUntil ?? databaseDate(),
      }),
    );
  }

  /** false: nothing was left to do. */
  async function moveSome({ owner, contactId, change }: Pending, erasedBy: unknown): Promise<boolean> {
    const isRename = change.id === contactId;
    const theirs = { owner, erasedBy, 'contact.id': contactId };
    const found = await some(isRename ? { ...theirs, 'contact.name': { $ne: change.name } } : theirs);
    const contact = { id: change.id, name: change.name };
    // The names of a contact's records may differ.
    for (const [name, named] of Map.groupBy(found, (record) => record.contact?.name ?? '')) {
      const ids = named.map(({ _id }) => _id);
      const still = { _id: { $in: ids }, owner, 'contact.id': contactId, 'contact.name': name };
      const moved = change.undo ? { moved: { undo: change.undo, id: contactId, name } } : {};
      // The term of the contact is added with the contact, so that a search finds the record at any time.
      await records.updateMany(
        { ...still, terms: { $exists: true } },
        { $set: { contact }, $addToSet: { terms: contactTerm(change.id), ...moved } },
      );
      // Deleted records, and those of earlier versions, have no terms.
      await records.updateMany(
        { ...still, terms: { $exists: false } },
        { $set: { contact }, $addToSet: moved },
      );
    }
    return found.length > 0;
  }

  async function removeOldTerms({ owner, contactId, change }: Pending): Promise<void> {
    const terms = contactTerm(contactId);
    for (;;) {
      const found = await some({ owner, terms, 'contact.id': change.id });
      if (found.length === 0) return;
      const ids = found.map(({ _id }) => _id);
      await records.updateMany({ _id: { $in: ids }, owner, 'contact.id': change.id }, { $pull: { terms } });
    }
  }

  /** Deletions in the bin name the contact, and recalculate it when they are undone or purged. */
  async function changeDeletions({ owner, contactId, change }: Pending): Promise<void> {
    const named = { owner, kind: 'contact', contactId, state: 'erased' } as const;
    for (const { _id, contactName } of await deletions.find(named, { contactName: 1 }).lean()) {
      const moved = { undo: change.undo, id: contactId, name: contactName };
      if (change.id === contactId && contactName === change.name) continue;
      await deletions.updateOne(
        { _id, contactId, contactName },
        {
          $set: { contactId: change.id, contactName: change.name },
          ...(change.undo ? { $addToSet: { moved } } : {}),
        },
      );
    }
    await deletions.updateMany(
      { owner, 'touched.contacts': contactId },
      { $addToSet: { 'touched.contacts': change.id } },
    );
  }

  /** A running deletion by contact names records by this field, so it must not change meanwhile. */
  async function isDeleting(owner: string): Promise<boolean> {
    return (await deletions.exists({ owner, state: { $in: ['erasing', 'restoring'] } })) !== null;
  }

  async function undo({ _id, owner, change }: Pending): Promise<void> {
    const prepared =
      change.undo && (await undos.findOne({ _id: change.undo, owner, state: 'changed' }).lean());
    if (prepared) await undoContact(prepared);
    await cards.updateOne({ _id, owner, 'change.isUndo': true }, { $unset: { change: 1 } });
  }

  /**
   * Finishes the change of a contact, if there is one. Every step can be repeated, and two processes may do it at
   * the same time. Returns the number of ms after which to try again if a deletion of the owner's is running.
   */
  async function finish(owner: string, contactId: string): Promise<number | undefined> {
    for (let card = await current(owner, contactId); card?.change; card = await current(owner, contactId)) {
      const pending: Pending = { ...card, change: card.change };
      const { change, note, isErased } = pending;
      const isMerge = change.id !== contactId;
      if ((change.isUndo || isMerge) && (await isDeleting(owner))) return againMs;
      if (change.isUndo) {
        await undo(pending);
        continue;
      }
      await prepareUndo(pending);
      if (await moveSome(pending, null)) continue;
      if (await moveSome(pending, { $ne: null })) continue;
      if (isMerge) {
        await removeOldTerms(pending);
        if (!isErased) await addNote(models, owner, change.id, note);
      }
      const contact = { id: change.id, name: change.name };
      await conversations.updateMany({ owner, 'contact.id': contactId }, { $set: { contact } });
      await changeDeletions(pending);
      await contacts.recount(owner, [contactId, change.id]);
      if (change.undo)
        await undos.updateOne({ _id: change.undo, state: 'changing' }, { $set: { state: 'changed' } });
      const merged = { note: '', isErased: false, mergedInto: change.id };
      await cards.updateOne(
        { _id: card._id, owner, 'change.id': change.id },
        { $unset: { change: 1 }, ...(isMerge ? { $set: merged, $inc: { revision: 1 } } : {}) },
      );
      if (isMerge)
        await cards.updateMany({ owner, mergedInto: contactId }, { $set: { mergedInto: change.id } });
    }
  }

  return {
    finish,

    /** Finishes all changes of an owner. @throws unavailable if deletions of the owner's take too long. */
    async finishAll(owner: string): Promise<void> {
      const start = Date.now();
      for (const { contactId } of await cards.find({ owner, 'change.id': { $exists: true } }).lean())
        for (let again = await finish(owner, contactId); again; again = await finish(owner, contactId)) {
          if (Date.now() - start > maxWaitMs) throw new ApiError('unavailable', { retryAfter: 10 });
          await delay(again);
        }
    },
  };
}

type Pending = ContactCardDocument & Required<Pick<ContactCardDocument, 'change'>>;

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
