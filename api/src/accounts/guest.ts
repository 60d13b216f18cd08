import { type Model, Schema, type Types } from 'mongoose';
import { defineModel } from '../store/define-model.ts';

/** A guest who has written something; guests who only read have no document. */
export interface GuestDocument {
  /** The id in the guest's cookie. */
  _id: string;
  lastUsedAt: Date;
  /** Time after which the guest's data may be deleted. */
  expiresAt: Date;
  /**
   * The account that adopts this guest's data. Never cleared, so that the adoption can be completed after a
   * crash.
   */
  adoptedBy: Types.ObjectId | null;
}

const { schema, create } = defineModel<GuestDocument>('Guest', 'guests', {
  _id: { type: String, required: true },
  lastUsedAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
  adoptedBy: { type: Schema.Types.ObjectId, default: null },
});
// No TTL index, because the guest's records must be deleted first.
schema.index({ expiresAt: 1 });
// For unfinished adoptions.
schema.index({ adoptedBy: 1 });

export type GuestModel = Model<GuestDocument>;
export const createGuestModel = create;
