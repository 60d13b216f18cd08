import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** A person that an owner has asked for. There is one as long as a record of the owner's, not erased, names it. */
export interface ContactDocument {
  _id: Types.ObjectId;
  owner: string;
  /** The normalised phone, e-mail or text, see `contactId`. */
  contactId: string;
  /** '' when none was given. */
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
