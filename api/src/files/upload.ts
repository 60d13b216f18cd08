import { type Model, Schema, type Types } from 'mongoose';
import type { FileKind } from '../contract/files.ts';
import { defineModel } from '../store/define-model.ts';

/** A file of a question. Belongs to exactly one record, and is deleted when that is purged. */
export interface UploadDocument {
  /** Random id, used in /api/files/:id. */
  _id: string;
  owner: string;
  /** The first version of its question: all versions share their files. */
  recordId: Types.ObjectId;
  /** Content hash, see `Blobs`. */
  blob: string;
  name: string;
  kind: FileKind;
  /** Media type, detected from the content. */
  type: string;
  /** In bytes. */
  size: number;
  chars: number;
  pages: number;
  /** The private document created from its text; null if it has none. */
  documentId: string | null;
  createdAt: Date;
}

const { schema, create } = defineModel<UploadDocument>('Upload', 'uploads', {
  _id: { type: String, required: true },
  owner: { type: String, required: true },
  recordId: { type: Schema.Types.ObjectId, required: true },
  blob: { type: String, required: true },
  name: { type: String, required: true },
  kind: { type: String, required: true },
  type: { type: String, required: true },
  size: { type: Number, required: true },
  chars: { type: Number, default: 0 },
  pages: { type: Number, default: 0 },
  documentId: { type: String, default: null },
  createdAt: { type: Date, required: true },
});
schema.index({ owner: 1, createdAt: -1 });
schema.index({ recordId: 1 });
schema.index({ documentId: 1 });
schema.index({ blob: 1 });

export type UploadModel = Model<UploadDocument>;
export const createUploadModel = create;
