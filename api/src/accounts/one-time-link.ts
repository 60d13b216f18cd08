import { type Model, Schema } from 'mongoose';
import type { GivenRole } from '../contract/rights.ts';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, list, nullable, required } from '../store/fields.ts';

const fields = {
  /** SHA-256 of the token, base64url. */
  _id: required(String),
  /** The account whose password is set; null: an invitation to create one. */
  userId: nullable(Schema.Types.ObjectId),
  /** Of the new account. */
  roles: list<GivenRole>(String),
  /** The administrator who has made it; null in links of earlier versions. */
  madeBy: nullable(Schema.Types.ObjectId),
  expiresAt: required(Date),
};

/** A link that an administrator hands over. */
export type OneTimeLinkDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<OneTimeLinkDocument>('OneTimeLink', 'one_time_links', fields);
schema.index({ userId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export type OneTimeLinkModel = Model<OneTimeLinkDocument>;
export const createOneTimeLinkModel = create;
