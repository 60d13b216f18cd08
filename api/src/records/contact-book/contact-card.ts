import { type Model, Schema, type Types } from 'mongoose';
import type { Contact } from '../../contract/records.ts';
import { defineModel } from '../../store/define-model.ts';

export interface ContactChangeUnderWay extends Contact {
  /** The id of its `ContactUndoDocument`; missing if an earlier version decided it. */
  undo?: Types.ObjectId;
  undoUntil?: Date;
  /** Undoes that change instead: `id` and `name` are those of this contact. */
  isUndo?: boolean;
}

/**
 * What an owner has entered about a contact, as opposed to `ContactDocument`, which is derived from records. Exists
 * once something was entered, until no record names the contact any more, not even one in the bin.
 */
export interface ContactCardDocument {
  _id: Types.ObjectId;
  owner: string;
  contactId: string;
  note: string;
  /** Incremented by every change of the owner. */
  revision: number;
  /** All records of the contact were deleted: the note is hidden until an undo, and deleted with the records. */
  isErased: boolean;
  /**
   * A rename (`id` is `contactId`) or merge that has begun: all records of this contact get this contact instead; or the
   * undo of one.
   * Missing if there is none. Any process can finish it.
   */
  change?: ContactChangeUnderWay;
  /** The contact that this one was merged into, '' if it was not. */
  mergedInto: string;
}

const { schema, create } = defineModel<ContactCardDocument>('ContactCard', 'contactcards', {
  owner: { type: String, required: true },
  contactId: { type: String, required: true },
  note: { type: String, default: '' },
  revision: { type: Number, default: 0 },
  isErased: { type: Boolean, default: false },
  change: {
    type: new Schema<ContactChangeUnderWay>(
      { id: String, name: String, undo: Schema.Types.ObjectId, undoUntil: Date, isUndo: Boolean },
      { _id: false, id: false },
    ),
  },
  mergedInto: { type: String, default: '' },
});
schema.index({ owner: 1, contactId: 1 }, { unique: true });
schema.index({ 'change.id': 1 }, { partialFilterExpression: { 'change.id': { $exists: true } } });

export type ContactCardModel = Model<ContactCardDocument>;
export const createContactCardModel = create;
