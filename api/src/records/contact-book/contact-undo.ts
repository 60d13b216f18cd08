import { Schema } from 'mongoose';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, field, list, type Part, part, required, withDefault } from '../../store/fields.ts';
import { contactPart } from '../contact.ts';

export const movedSchema = part({
  undo: field(Schema.Types.ObjectId),
  id: field(String),
  name: field(String),
});
/** In a record or a deletion: the contact it had before the change that `undo` can undo. */
export type Moved = Part<typeof movedSchema>;

const fields = {
  owner: required(String),
  /** Opaque token for the undo, valid only for its owner. */
  undoToken: required(String),
  /** `changing` until all records are changed; `undone` keeps nothing about the contacts. */
  state: required<'changing' | 'changed' | 'undone'>(String),
  from: required(contactPart),
  into: required(contactPart),
  /** The notes of both before the merge. */
  note: withDefault(''),
  intoNote: withDefault(''),
  /** Contacts that had been merged into `from` before. */
  followers: list(String),
  /** Number of records it changed that were visible. */
  records: withDefault(0),
  createdAt: required(Date),
  undoUntil: required(Date),
};

/**
 * What is needed to undo a merge or a rename (`into.id` is `from.id`) of contacts. Written before the first record
 * changes; what each record was is in the record itself (`Moved`).
 */
export type ContactUndoDocument = DocumentOf<typeof fields>;

export const contactUndoModel = defineModel<ContactUndoDocument>('ContactUndo', 'contactundos', fields);
contactUndoModel.schema.index({ undoToken: 1 }, { unique: true });
contactUndoModel.schema.index({ owner: 1, createdAt: -1, _id: -1 });
contactUndoModel.schema.index({ undoUntil: 1 });
