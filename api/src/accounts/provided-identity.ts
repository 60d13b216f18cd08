import { createHash } from 'node:crypto';
import { type Model, Schema, type Types } from 'mongoose';
import { defineModel } from '../store/define-model.ts';

/** A person at a provider, and the account that belongs to it. */
export interface IdentityDocument {
  /** See `identityId`. */
  _id: string;
  userId: Types.ObjectId;
  createdAt: Date;
}

const { schema, create } = defineModel<IdentityDocument>('Identity', 'identities', {
  _id: { type: String, required: true },
  userId: { type: Schema.Types.ObjectId, required: true },
  createdAt: { type: Date, required: true },
});
schema.index({ userId: 1 });

export type IdentityModel = Model<IdentityDocument>;
export const createIdentityModel = create;

/** A hash of issuer and subject, which together identify a person (OpenID Connect Core 1.0, section 5.7). */
export function identityId(issuer: string, subject: string): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');
}
