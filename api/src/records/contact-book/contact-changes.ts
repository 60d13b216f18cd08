import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Types } from 'mongoose';
import type { Contact } from '../../contract/records.ts';
import { ApiError } from '../../errors/errors.ts';
import { databaseDate } from '../../store/database-clock.ts';
import type { Jobs } from '../../store/jobs/jobs.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import { changeRecord } from '../change-record.ts';
import type { Contacts } from '../contacts.ts';
import type { ConversationSummaries } from '../conversation-summaries.ts';
import type { RecordCondition } from '../hidden-records.ts';
import { createOwnerJobs } from '../owner-jobs.ts';
import type { RecordDocument } from '../record.ts';
import type { RecordModels } from '../record-models.ts';
import { contactTerm } from '../search/record-terms.ts';
import { type ContactCardDocument, type ContactCardModel, mergesOf } from './contact-card.ts';
import { addNote, joinNotes } from './contact-notes.ts';
import type { ContactUndoDocument, Moved } from './contact-undo.ts';

/** Records per read or write, so that other requests run in between. */
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

export type ContactWork = ReturnType<typeof createContactWork>;

/** Finishes renames and merges of contacts: a job for each, in the queue of its owner. */
export function createContactWork(deps: {
  cards: ContactCardModel;
  changes: Pick<ContactChanges, 'finish'>;
  jobs: Pick<Jobs, 'define' | 'add' | 'ensure' | 'whenDone'>;
}) {
  const { cards, changes } = deps;
  const work = createOwnerJobs(deps.jobs, 'change contact', async ({ key }) => {
    const card = await cards.findById(key).lean();
    return card ? changes.finish(card.owner, card.contactId) : undefined;
  });
  const underWay = (some: { owner?: string; contactId?: string }) =>
    cards.find({ ...some, 'change.id': { $exists: true } }, { owner: 1 }).lean();

  return {
    /** When no change of them is under way. false: it takes more than `withinMs`; its job continues. */
    async finish(some: { owner: string; contactId?: string }, withinMs: number): Promise<boolean> {
      let isDone = true;
      for (const card of await underWay(some))
        isDone = (await work.finish(card, isDone ? withinMs : 0)) && isDone;
      return isDone;
    },

    resume: async (): Promise<void> => work.resume(await underWay({})),
  };
}

/** Gives records, deletions, notes and contacts back what they were before a merge or rename. Every step can be repeated. */
function createUndoContact(
  models: RecordModels,
  contacts: Pick<Contacts, 'recount'>,
  summaries: Pick<ConversationSummaries, 'recount'>,
): (undo: ContactUndoDocument) => Promise<void> {
  const { records, deletions, contactCards: cards, contactUndos: undos } = models;

  /**
   * Restores the contact of some records and their conversations; only then they no longer name the undo, so that a
   * repetition finds them. false: nothing was left to do.
   */
  async function restoreSome({ _id, owner }: ContactUndoDocument): Promise<boolean> {
    const named = { owner, 'moved.undo': _id };
    const found = await records
      .find(named, { conversationId: 1 })
      .limit(slice)
      .lean<Pick<RecordDocument, '_id' | 'conversationId'>[]>();
    if (found.length === 0) return false;
    for (const { _id: id } of found)
      await changeRecord(records, { _id: id, ...named }, ({ moved = [], contact }) => {
        const before = contactBefore(moved, _id);
        return before && (contact?.id !== before.id || contact.name !== before.name)
          ? { contact: before }
          : null;
      });
    const touched = new Map(found.map((one) => [one.conversationId.toHexString(), one.conversationId]));
    await summaries.recount(owner, [...touched.values()]);
    for (const { _id: id } of found)
      await changeRecord(records, { _id: id, ...named }, ({ moved = [] }) => ({ moved: upTo(moved, _id) }));
    return true;
  }

  /** Questions that were asked after a rename have the new name as well. */
  async function renameLater({ owner, from, into, createdAt }: ContactUndoDocument): Promise<void> {
    const later = { owner, 'contact.id': from.id, 'contact.name': into.name, createdAt: { $gt: createdAt } };
    await records.updateMany(later, { $set: { contact: from } });
  }

  async function restoreDeletions({ _id, owner, from }: ContactUndoDocument, targets: string[]) {
    for (const deletion of await deletions.find({ owner, 'moved.undo': _id }).lean()) {
      const before = contactBefore(deletion.moved ?? [], _id)!;
      const restored = {
        contactId: before.id,
        contactName: before.name,
        moved: upTo(deletion.moved ?? [], _id),
      };
      await deletions.updateOne({ _id: deletion._id, owner, 'moved.undo': _id }, { $set: restored });
    }
    await deletions.updateMany(
      { owner, 'touched.contacts': { $in: targets } },
      { $addToSet: { 'touched.contacts': from.id } },
    );
  }

  /** A note that was changed since the merge stays as it is. */
  async function restoreNotes({ owner, from, into, note, intoNote, followers }: ContactUndoDocument) {
    const target = await cards.findOne({ owner, contactId: into.id }).lean();
    if (target && note !== '' && target.note === joinNotes(intoNote, note))
      await cards.updateOne(
        { _id: target._id, owner, revision: target.revision },
        { $set: { note: intoNote }, $inc: { revision: 1 } },
      );
    const source = await cards.findOne({ owner, contactId: from.id }).lean();
    if (source) {
      const restored = { mergedInto: '', note: joinNotes(source.note, note), isErased: false };
      await cards.updateOne({ _id: source._id, owner }, { $set: restored, $inc: { revision: 1 } });
    }
    await cards.updateMany(
      { owner, contactId: { $in: followers }, mergedInto: { $ne: '' } },
      { $set: { mergedInto: from.id } },
    );
  }

  return async (undo) => {
    const { _id, owner, from, into } = undo;
    const isMerge = from.id !== into.id;
    while (await restoreSome(undo));
    if (!isMerge) await renameLater(undo);
    // The contacts that may have the records now.
    const targets: string[] = [];
    for await (const id of mergesOf(cards, owner, into.id)) if (!targets.includes(id)) targets.push(id);
    await restoreDeletions(undo, targets);
    if (isMerge) await restoreNotes(undo);
    await contacts.recount(owner, [from.id, ...targets]);
    await undos.updateOne({ _id, state: 'changed' }, { $set: forgotten });
  };
}

const nobody = { id: '', name: '' };
/** Nothing about the contacts remains in an undo that was used. */
const forgotten = {
  state: 'undone',
  from: nobody,
  into: nobody,
  note: '',
  intoNote: '',
  followers: [],
} as const;

function contactBefore(moved: readonly Moved[], undo: Moved['undo']) {
  const entry = moved.find((one) => one.undo.equals(undo));
  return entry && { id: entry.id, name: entry.name };
}

/** Without the undone change and those that followed it. */
function upTo(moved: readonly Moved[], undo: Moved['undo']): Moved[] {
  const at = moved.findIndex((one) => one.undo.equals(undo));
  return moved.slice(0, at);
}
