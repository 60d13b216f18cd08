import { type Model, Schema } from 'mongoose';
import type { FileKind } from '../contract/files.ts';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, nullable, required, withDefault } from '../store/fields.ts';

const fields = {
  /** Random id, used in /api/files/:id. */
  _id: required(String),
  owner: required(String),
  /** The first version of its question: all versions share their files. */
  recordId: required(Schema.Types.ObjectId),
  /** Content hash, see `Blobs`. */
  blob: required(String),
  name: required(String),
  kind: required<FileKind>(String),
  /** Media type, detected from the content. */
  type: required(String),
  /** In bytes. */
  size: required(Number),
  chars: withDefault(0),
  pages: withDefault(0),
  /** The private document created from its text; null if it has none. */
  documentId: nullable(String),
  createdAt: required(Date),
};

/** A file of a question. Belongs to exactly one record, and is deleted when that is purged. */
export type UploadDocument = DocumentOf<typeof fields>;

export const uploadModel = defineModel<UploadDocument>('Upload', 'uploads', fields);
uploadModel.schema.index({ owner: 1, createdAt: -1 });
uploadModel.schema.index({ recordId: 1 });
uploadModel.schema.index({ documentId: 1 });
uploadModel.schema.index({ blob: 1 });

export type UploadModel = Model<UploadDocument>;
