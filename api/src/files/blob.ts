import { type Connection, type Model, Schema } from 'mongoose';

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

const schema = new Schema<BlobDocument>(
  {
    _id: { type: String, required: true },
    key: { type: String, required: true },
    holders: { type: [String], required: true },
    heldAt: { type: Date, required: true },
  },
  { collection: 'blobs', versionKey: false, autoIndex: false, autoCreate: false },
);

export type BlobModel = Model<BlobDocument>;

export function createBlobModel(connection: Connection): BlobModel {
  return connection.model<BlobDocument>('Blob', schema);
}
