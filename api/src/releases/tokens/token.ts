import type { Model } from 'mongoose';
import type { TokenScope } from '../../contract/tokens.ts';
import { defineModel } from '../../store/define-model.ts';

/** A token for operations or a team. The token itself is not stored. */
export interface TokenDocument {
  _id: string;
  /** SHA-256 of the token, base64url. */
  hash: string;
  name: string;
  scopes: TokenScope[];
  createdAt: Date;
  createdBy: string;
  /** null: it does not expire. */
  expiresAt: Date | null;
  /** Whether it is OPS_TOKEN: running processes postpone `expiresAt`. */
  isConfigured: boolean;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  revokedBy: string | null;
}

const date = { type: Date, default: null };

const { schema, create } = defineModel<TokenDocument>('OpsToken', 'ops_tokens', {
  _id: { type: String, required: true },
  hash: { type: String, required: true },
  name: { type: String, required: true },
  scopes: { type: [String], required: true },
  createdAt: { type: Date, required: true },
  createdBy: { type: String, required: true },
  expiresAt: date,
  isConfigured: { type: Boolean, default: false },
  lastUsedAt: date,
  revokedAt: date,
  revokedBy: { type: String, default: null },
});
schema.index({ hash: 1 }, { unique: true });
schema.index({ name: 1 }, { unique: true });
schema.index({ createdAt: -1, _id: -1 });

export type TokenModel = Model<TokenDocument>;
export const createTokenModel = create;
