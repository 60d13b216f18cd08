import type { Types } from 'mongoose';
import type { Contact } from '../../contract/records.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { retryConflicts } from '../../store/retry-conflicts.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import type { RecordModels } from '../record-models.ts';
import type { Moved } from './contact-undo.ts';

type Cards = Pick<RecordModels, 'contactCards'>;

/** Both notes; one of them if it contains the other, so that joining again changes nothing. */
export function joinNotes(one: string, other: string): string {
  if (one.includes(other)) return one;
  if (other.includes(one)) return other;
  return `${one}\n\n${other}`;
}

/** Adds a note to the one that the contact has. Repeating it changes nothing. */
export async function addNote(
  { contactCards: cards }: Cards,
  owner: string,
  contactId: string,
  note: string,
): Promise<void> {
  if (note === '') return;
  await retryConflicts(async () => {
    const card = await cards.findOne({ owner, contactId }).lean();
    if (!card) return (await unlessDuplicate(cards.create({ owner, contactId, note, revision: 1 }))) || null;
    const joined = joinNotes(card.isErased ? '' : card.note, note);
    if (joined === card.note && !card.isErased) return true;
    const written = await cards.updateOne(
      { _id: card._id, owner, revision: card.revision, isErased: card.isErased },
      { $set: { note: joined, isErased: false }, $inc: { revision: 1 } },
    );
    return written.matchedCount === 1 || null;
  });
}

/** These contacts with their notes; without the field if there is none. */
export async function withNotes({ contactCards: cards }: Cards, owner: string, some: readonly Contact[]) {
  const contactId = { $in: some.map(({ id }) => id) };
  const noted = await cards.find({ owner, contactId, isErased: false, note: { $ne: '' } }).lean();
  const notes = new Map(noted.map((card) => [card.contactId, card.note]));
  return some.map((contact) => {
    const note = notes.get(contact.id);
    return note === undefined ? contact : { ...contact, note };
  });
}

/** Hides the note of a contact whose last visible record was deleted; deletes it if there is no record at all. */
export async function hideNote(
  models: Cards & Pick<RecordModels, 'records' | 'deletions' | 'contactUndos'>,
  owner: string,
  contactId: string,
): Promise<void> {
  const { contactCards: cards, records } = models;
  // What was merged, or is being merged, has passed on its note already.
  const own = { owner, contactId, mergedInto: '', change: { $exists: false } };
  const hidden = await cards.updateOne(own, { $set: { isErased: true } });
  if (hidden.matchedCount === 1 && !(await records.exists({ owner, 'contact.id': contactId })))
    await forgetNotes(models, owner, [contactId]);
}

/** Shows the notes of contacts again whose records were restored. */
export async function restoreNotes(
  { contactCards: cards, contacts }: Cards & Pick<RecordModels, 'contacts'>,
  owner: string,
  contactIds: readonly string[],
): Promise<void> {
  const hidden = await cards.find({ owner, contactId: { $in: contactIds }, isErased: true }).lean();
  for (const { _id, contactId } of hidden)
    if (await contacts.exists({ owner, contactId }))
      await cards.updateOne({ _id, owner, isErased: true }, { $set: { isErased: false } });
}

/** Deletes the notes that were deleted with records, once none of these is in the bin any more. */
export async function forgetNotes(
  models: Cards & Pick<RecordModels, 'records' | 'deletions' | 'contactUndos'>,
  owner: string,
  contactIds: readonly string[],
): Promise<void> {
  const { contactCards: cards, records } = models;
  const erased = await cards.find({ owner, contactId: { $in: contactIds }, isErased: true }).lean();
  for (const { _id, contactId, revision } of erased) {
    if (await records.exists({ owner, erasedBy: { $ne: null }, 'contact.id': contactId })) continue;
    await cards.deleteOne({ _id, owner, revision, isErased: true });
  }
  // Nothing remains of contacts that were merged into one that no longer exists.
  const gone = [...contactIds];
  for (const contactId of contactIds) {
    if (await records.exists({ owner, 'contact.id': contactId })) continue;
    const merged = await cards.find({ owner, mergedInto: contactId }, { contactId: 1 }).lean();
    gone.push(...merged.map((card) => card.contactId));
    await cards.deleteMany({ owner, mergedInto: contactId });
  }
  await forgetEmptyUndos(models, owner, gone);
}

/** Moves the notes of one owner to another; contacts that both have get both notes. */
export async function transferNotes({ contactCards: cards }: Cards, from: string, to: string): Promise<void> {
  for (;;) {
    const card = await cards.findOne({ owner: from }).lean();
    if (!card) return;
    const { _id, contactId, note, isErased } = card;
    if (await unlessDuplicate(cards.updateOne({ _id, owner: from }, { $set: { owner: to } }))) continue;
    if (!isErased) await addNote({ contactCards: cards }, to, contactId, note);
    await cards.deleteOne({ _id, owner: from });
  }
}

/** Records per write. */
const slice = 200;

type Models = Pick<RecordModels, 'contactUndos' | 'records' | 'deletions'>;

/** Forgets merges and renames that can no longer be undone. */
export async function forgetExpiredUndos(models: Models): Promise<void> {
  await forget(models, { undoUntil: { $lt: databaseDate() } });
}

/** Forgets those of an owner's contacts that would restore no record: all have been deleted for good. */
async function forgetEmptyUndos(models: Models, owner: string, contactIds: readonly string[]) {
  const named = [{ 'from.id': { $in: contactIds } }, { 'into.id': { $in: contactIds } }];
  for (const { _id } of await models.contactUndos
    .find({ owner, state: 'changed', $or: named }, { _id: 1 })
    .lean())
    if (!(await models.records.exists({ owner, 'moved.undo': _id }))) await forget(models, { _id });
}

async function forget({ contactUndos, records, deletions }: Models, condition: Record<string, unknown>) {
  for (const { _id, owner } of await contactUndos.find(condition, { owner: 1 }).limit(1000).lean()) {
    const named = { owner, 'moved.undo': _id };
    const without = <T extends { _id: Types.ObjectId; moved?: Moved[] }>({ _id: id, moved = [] }: T) => ({
      updateOne: {
        filter: { ...named, _id: id },
        update: { $set: { moved: moved.filter(({ undo }) => !undo.equals(_id)) } },
      },
    });
    for (;;) {
      const some = await records.find(named, { moved: 1 }).limit(slice).lean();
      if (some.length === 0) break;
      await records.bulkWrite(some.map(without));
    }
    const naming = await deletions.find(named, { moved: 1 }).lean();
    if (naming.length > 0) await deletions.bulkWrite(naming.map(without));
    await contactUndos.deleteOne({ _id });
  }
}
