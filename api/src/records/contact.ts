import { type Connection, type Model, Schema, type Types } from 'mongoose';

/**
 * A person on whose behalf an owner has asked. Exists as long as a record of the owner that is not erased
 * names it.
 */
export interface ContactDocument {
  _id: Types.ObjectId;
  owner: string;
  /** The normalised phone number, e-mail address or text, see `contactId`. */
  contactId: string;
  /** '' if none was given. */
  name: string;
  lastUsedAt: Date;
}

const schema = new Schema<ContactDocument>(
  {
    owner: { type: String, required: true },
    contactId: { type: String, required: true },
    name: { type: String, default: '' },
    lastUsedAt: { type: Date, required: true },
  },
  { collection: 'contacts', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ owner: 1, contactId: 1 }, { unique: true });
schema.index({ owner: 1, name: 1, contactId: 1 });
schema.index({ owner: 1, lastUsedAt: -1, _id: -1 });

export type ContactModel = Model<ContactDocument>;

export function createContactModel(connection: Connection): ContactModel {
  return connection.model<ContactDocument>('Contact', schema);
}
