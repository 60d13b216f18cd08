import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** A guest who has written something; guests who only look have no document. */
export interface GuestDocument {
  /** The id inside the guest's cookie. */
  _id: string;
  lastUsedAt: Date;
  /** From here on the guest's data may go. */
  expiresAt: Date;
  /** The account that takes this guest's data along. Never taken back, so that it can be finished after a crash. */
  adoptedBy: Types.ObjectId | null;
}

const schema = new Schema<GuestDocument>(
  {
    _id: { type: String, required: true },
    lastUsedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    adoptedBy: { type: Schema.Types.ObjectId, default: null },
  },
  { collection: 'guests', versionKey: false, autoIndex: false, autoCreate: false },
);
// No expiry index: the guest's records have to go first.
schema.index({ expiresAt: 1 });
// Adoptions to be finished.
schema.index({ adoptedBy: 1 });

export type GuestModel = Model<GuestDocument>;

export function createGuestModel(connection: Connection): GuestModel {
  return connection.model<GuestDocument>('Guest', schema);
}
