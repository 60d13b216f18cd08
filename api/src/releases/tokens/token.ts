import type { Model } from 'mongoose';
import type { TokenScope } from '../../contract/tokens.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, field, nullable, required, withDefault } from '../../store/fields.ts';

const fields = {
  _id: required(String),
  /** SHA-256 of the token, base64url. */
  hash: required(String),
  name: required(String),
  scopes: field<TokenScope[]>({ type: [String], required: true }),
  createdAt: required(Date),
  createdBy: required(String),
  /** null: it does not expire. */
  expiresAt: nullable(Date),
  /** Whether it is OPS_TOKEN: running processes postpone `expiresAt`. */
  isConfigured: withDefault(false),
  lastUsedAt: nullable(Date),
  revokedAt: nullable(Date),
  revokedBy: nullable(String),
};

/** A token for operations or a team. The token itself is not stored. */
export type TokenDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<TokenDocument>('OpsToken', 'ops_tokens', fields);
schema.index({ hash: 1 }, { unique: true });
schema.index({ name: 1 }, { unique: true });
schema.index({ createdAt: -1, _id: -1 });

export type TokenModel = Model<TokenDocument>;
export const createTokenModel = create;
