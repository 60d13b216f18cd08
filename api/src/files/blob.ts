import type { Model } from 'mongoose';
import { defineModel } from '../store/define-model.ts';

/** Stored content with its holders, see `Blobs`. */
export interface BlobDocument {
  /** SHA-256 of the content, lower-case hex. */
  _id: string;
  /** Storage key of the bytes. A new one each time the same content is stored again after its removal. */
  key: string;
  /**
   * Ids of the uploads and documents that have this content. Only briefly empty: then the content is removed.
   */
  holders: string[];
  /** When the last holder was added. */
  heldAt: Date;
}

const { create } = defineModel<BlobDocument>('Blob', 'blobs', {
  _id: { type: String, required: true },
  key: { type: String, required: true },
  holders: { type: [String], required: true },
  heldAt: { type: Date, required: true },
});

export type BlobModel = Model<BlobDocument>;
export const createBlobModel = create;
