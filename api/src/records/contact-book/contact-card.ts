import { type Model, Schema } from 'mongoose';
import { defineModel, onlyWith } from '../../store/define-model.ts';
import {
  type DocumentOf,
  field,
  optional,
  type Part,
  part,
  required,
  withDefault,
} from '../../store/fields.ts';

const change = part({
  id: field(String),
  name: field(String),
  /** The id of its `ContactUndoDocument`; missing if an earlier version decided it. */
  undo: optional(Schema.Types.ObjectId),
  undoUntil: optional(Date),
  /** Undoes that change instead: `id` and `name` are those of this contact. */
  isUndo: optional(Boolean),
});
export type ContactChangeUnderWay = Part<typeof change>;

const fields = {
  owner: required(String),
  contactId: required(String),
  note: withDefault(''),
  /** Incremented by every change of the owner. */
  revision: withDefault(0),
  /** All records of the contact were deleted: the note is hidden until an undo, and deleted with the records. */
  isErased: withDefault(false),
  /**
   * A rename (`id` is `contactId`) or merge that has begun: all records of this contact get this contact instead; or the
   * undo of one.
   * Missing if there is none. Any process can finish it.
   */
  change: optional<ContactChangeUnderWay>(change),
  /** The contact that this one was merged into, '' if it was not. */
  mergedInto: withDefault(''),
};

/**
 * What an owner has entered about a contact, as opposed to `ContactDocument`, which is derived from records. Exists
 * once something was entered, until no record names the contact any more, not even one in the bin.
 */
export type ContactCardDocument = DocumentOf<typeof fields>;

export const contactCardModel = defineModel<ContactCardDocument>('ContactCard', 'contactcards', fields);
contactCardModel.schema.index({ owner: 1, contactId: 1 }, { unique: true });
contactCardModel.schema.index({ 'change.id': 1 }, onlyWith('change.id'));

export type ContactCardModel = Model<ContactCardDocument>;

/** Number of merges followed. */
const maxMerges = 10;

/** The ids of a contact, and of those that it was merged into, one after another. */
export async function* mergesOf(cards: ContactCardModel, owner: string, contactId: string) {
  let id = contactId;
  for (let merges = 0; id !== '' && merges <= maxMerges; merges += 1) {
    yield id;
    id = (await cards.findOne({ owner, contactId: id }).lean())?.mergedInto ?? '';
  }
}
