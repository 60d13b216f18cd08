import { changeRecord } from '../change-record.ts';
import type { Contacts } from '../contacts.ts';
import type { ConversationSummaries } from '../conversation-summaries.ts';
import type { RecordDocument } from '../record.ts';
import type { RecordModels } from '../record-models.ts';
import { joinNotes } from './contact-notes.ts';
import type { ContactUndoDocument, Moved } from './contact-undo.ts';

/** Records per read. */
const slice = 100;
/** Number of merges followed. */
const maxMerges = 10;

/** Gives records, deletions, notes and contacts back what they were before a merge or rename. Every step can be repeated. */
export function createUndoContact(
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
    await summaries.recount(owner, [
      ...new Map(found.map((one) => [one.conversationId.toHexString(), one.conversationId])).values(),
    ]);
    for (const { _id: id } of found)
      await changeRecord(records, { _id: id, ...named }, ({ moved = [] }) => ({ moved: upTo(moved, _id) }));
    return true;
  }

  /** Questions that were asked after a rename have the new name as well. */
  async function renameLater({ owner, from, into, createdAt }: ContactUndoDocument): Promise<void> {
    const later = { owner, 'contact.id': from.id, 'contact.name': into.name, createdAt: { $gt: createdAt } };
    await records.updateMany(later, { $set: { contact: from } });
  }

  async function restoreDeletions(
    { _id, owner, from }: ContactUndoDocument,
    targets: string[],
  ): Promise<void> {
    for (const deletion of await deletions.find({ owner, 'moved.undo': _id }).lean()) {
      const before = contactBefore(deletion.moved ?? [], _id)!;
      await deletions.updateOne(
        { _id: deletion._id, owner, 'moved.undo': _id },
        {
          $set: { contactId: before.id, contactName: before.name, moved: upTo(deletion.moved ?? [], _id) },
        },
      );
    }
    await deletions.updateMany(
      { owner, 'touched.contacts': { $in: targets } },
      { $addToSet: { 'touched.contacts': from.id } },
    );
  }

  /** The contacts that may have the records now: the target, and those that it was merged into since. */
  async function targetsOf({ owner, into }: ContactUndoDocument): Promise<string[]> {
    const targets = [into.id];
    for (let id = into.id; targets.length <= maxMerges; targets.push(id)) {
      const card = await cards.findOne({ owner, contactId: id }).lean();
      if (!card?.mergedInto || targets.includes(card.mergedInto)) break;
      id = card.mergedInto;
    }
    return targets;
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
    const targets = await targetsOf(undo);
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
  return moved.slice(
    0,
    moved.findIndex((one) => one.undo.equals(undo)),
  );
}
