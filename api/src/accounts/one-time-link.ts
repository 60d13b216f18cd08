import { type Model, Schema, type Types } from 'mongoose';
import type { GivenRole } from '../contract/rights.ts';
import { defineModel } from '../store/define-model.ts';

/** A link that an administrator hands over. */
export interface OneTimeLinkDocument {
  /** SHA-256 of the token, base64url. */
  _id: string;
  /** The account whose password is set; null: an invitation to create one. */
  userId: Types.ObjectId | null;
  /** Of the new account. */
  roles: GivenRole[];
  expiresAt: Date;
}

const { schema, create } = defineModel<OneTimeLinkDocument>('OneTimeLink', 'one_time_links', {
  _id: { type: String, required: true },
  userId: { type: Schema.Types.ObjectId, default: null },
  roles: { type: [String], default: [] },
  expiresAt: { type: Date, required: true },
});
schema.index({ userId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export type OneTimeLinkModel = Model<OneTimeLinkDocument>;
export const createOneTimeLinkModel = create;
