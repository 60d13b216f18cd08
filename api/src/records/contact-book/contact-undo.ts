import { type Model, Schema, type Types } from 'mongoose';
import type { Contact } from '../../contract/records.ts';
import { defineModel } from '../../store/define-model.ts';

/**
 * What is needed to undo a merge or a rename (`into.id` is `from.id`) of contacts. Written before the first record
 * changes; what each record was is in the record itself (`Moved`).
 */
export interface ContactUndoDocument {
  _id: Types.ObjectId;
  owner: string;
  /** Opaque token for the undo, valid only for its owner. */
  undoToken: string;
  /** `changing` until all records are changed; `undone` keeps nothing about the contacts. */
  state: 'changing' | 'changed' | 'undone';
  from: Contact;
  into: Contact;
  /** The notes of both before the merge. */
  note: string;
  intoNote: string;
  /** Contacts that had been merged into `from` before. */
  followers: string[];
  /** Number of records it changed that were visible. */
  records: number;
  createdAt: Date;
  undoUntil: Date;
}

/** In a record or a deletion: the contact it had before the change that `undo` can undo. */
export interface Moved extends Contact {
  undo: Types.ObjectId;
}

const contact = new Schema<Contact>({ id: String, name: String }, { _id: false, id: false });
export const movedSchema = new Schema<Moved>(
  { undo: Schema.Types.ObjectId, id: String, name: String },
  { _id: false, id: false },
);

const { schema, create } = defineModel<ContactUndoDocument>('ContactUndo', 'contactundos', {
  owner: { type: String, required: true },
  undoToken: { type: String, required: true },
  state: { type: String, required: true },
  from: { type: contact, required: true },
  into: { type: contact, required: true },
  note: { type: String, default: '' },
  intoNote: { type: String, default: '' },
  followers: { type: [String], default: [] },
  records: { type: Number, default: 0 },
  createdAt: { type: Date, required: true },
  undoUntil: { type: Date, required: true },
});
schema.index({ undoToken: 1 }, { unique: true });
schema.index({ owner: 1, createdAt: -1, _id: -1 });
schema.index({ undoUntil: 1 });

export type ContactUndoModel = Model<ContactUndoDocument>;
export const createContactUndoModel = create;
