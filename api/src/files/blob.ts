import { type Connection, type Model, Schema } from 'mongoose';

/** Bytes that somebody holds, see `Blobs`. */
export interface BlobDocument {
  /** Lower-case hex SHA-256 of the content. */
  _id: string;
  /** Where the bytes are. Another one each time the content comes anew after it had gone. */
  key: string;
  /** Ids of the uploads and documents that have it. Never empty for long: then it goes. */
  holders: string[];
  /** When it got its last holder. */
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
