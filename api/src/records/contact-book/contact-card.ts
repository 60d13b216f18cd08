import { type Model, Schema, type Types } from 'mongoose';
import type { Contact } from '../../contract/records.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, field, required, withDefault } from '../../store/fields.ts';

export interface ContactChangeUnderWay extends Contact {
  /** The id of its `ContactUndoDocument`; missing if an earlier version decided it. */
  undo?: Types.ObjectId;
  undoUntil?: Date;
  /** Undoes that change instead: `id` and `name` are those of this contact. */
  isUndo?: boolean;
}

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
  change: field<ContactChangeUnderWay, false>({
    type: new Schema<ContactChangeUnderWay>(
      { id: String, name: String, undo: Schema.Types.ObjectId, undoUntil: Date, isUndo: Boolean },
      { _id: false, id: false },
    ),
  }),
  /** The contact that this one was merged into, '' if it was not. */
  mergedInto: withDefault(''),
};

/**
 * What an owner has entered about a contact, as opposed to `ContactDocument`, which is derived from records. Exists
 * once something was entered, until no record names the contact any more, not even one in the bin.
 */
export type ContactCardDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<ContactCardDocument>('ContactCard', 'contactcards', fields);
schema.index({ owner: 1, contactId: 1 }, { unique: true });
schema.index({ 'change.id': 1 }, { partialFilterExpression: { 'change.id': { $exists: true } } });

export type ContactCardModel = Model<ContactCardDocument>;
export const createContactCardModel = create;
