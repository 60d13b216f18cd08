import type { Model } from 'mongoose';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, field, required } from '../store/fields.ts';

const fields = {
  /** SHA-256 of the content, lower-case hex. */
  _id: required(String),
  /** Storage key of the bytes. A new one each time the same content is stored again after its removal. */
  key: required(String),
  /** Uploads and documents with this content, which is removed soon after the last one is. */
  holders: field<string[]>({ type: [String], required: true }),
  /** When the last holder was added. */
  heldAt: required(Date),
};

/** Stored content with its holders, see `Blobs`. */
export type BlobDocument = DocumentOf<typeof fields>;

export const blobModel = defineModel<BlobDocument>('Blob', 'blobs', fields);

export type BlobModel = Model<BlobDocument>;
