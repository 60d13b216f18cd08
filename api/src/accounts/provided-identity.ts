import { createHash } from 'node:crypto';
import { type Model, Schema } from 'mongoose';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, required } from '../store/fields.ts';

const fields = {
  /** See `identityId`. */
  _id: required(String),
  userId: required(Schema.Types.ObjectId),
  createdAt: required(Date),
};

/** A person at a provider, and the account that belongs to it. */
export type IdentityDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<IdentityDocument>('Identity', 'identities', fields);
schema.index({ userId: 1 });

export type IdentityModel = Model<IdentityDocument>;
export const createIdentityModel = create;

/** A hash of issuer and subject, which together identify a person (OpenID Connect Core 1.0, section 5.7). */
export function identityId(issuer: string, subject: string): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');
}
