import { type Model, Schema } from 'mongoose';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, nullable, required } from '../store/fields.ts';

const fields = {
  /** The id in the guest's cookie. */
  _id: required(String),
  lastUsedAt: required(Date),
  /** Time after which the guest's data may be deleted. */
  expiresAt: required(Date),
  /** The account that adopts this guest's data. Never cleared, so that the adoption can be completed after a crash. */
  adoptedBy: nullable(Schema.Types.ObjectId),
};

/** A guest who has written something; guests who only read have no document. */
export type GuestDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<GuestDocument>('Guest', 'guests', fields);
// No TTL index, because the guest's records must be deleted first.
schema.index({ expiresAt: 1 });
// For unfinished adoptions.
schema.index({ adoptedBy: 1 });

export type GuestModel = Model<GuestDocument>;
export const createGuestModel = create;
