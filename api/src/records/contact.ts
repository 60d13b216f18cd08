import type { Model, Types } from 'mongoose';
import { defineModel } from '../store/define-model.ts';

/**
 * A person on whose behalf an owner has asked. Exists as long as a record of the owner that is not deleted
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

const { schema, create } = defineModel<ContactDocument>('Contact', 'contacts', {
  owner: { type: String, required: true },
  contactId: { type: String, required: true },
  name: { type: String, default: '' },
  lastUsedAt: { type: Date, required: true },
});
schema.index({ owner: 1, contactId: 1 }, { unique: true });
schema.index({ owner: 1, name: 1, contactId: 1 });
schema.index({ owner: 1, lastUsedAt: -1, _id: -1 });

export type ContactModel = Model<ContactDocument>;
export const createContactModel = create;
