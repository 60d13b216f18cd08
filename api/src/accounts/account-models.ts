import { type Connection, Schema } from 'mongoose';
import type { ProofPurpose } from '../contract/accounts.ts';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, field, type Part, part, required, withDefault } from '../store/fields.ts';
import { createSettingModel } from '../store/setting.ts';
import { createGroupModel } from './groups.ts';
import { createGuestModel } from './guest.ts';
import { createOneTimeLinkModel } from './one-time-link.ts';
import { createPasskeyModel } from './passkey.ts';
import { createIdentityModel } from './provided-identity.ts';
import { createChallengeModel } from './second-factor.ts';
import { createUsageModel } from './usage.ts';
import { createUserModel } from './user.ts';

const proofPart = part({ purpose: required<ProofPurpose>(String), at: required(Date) });

const fields = {
  /** SHA-256 of the token, base64url. */
  tokenHash: required(String),
  userId: required(Schema.Types.ObjectId),
  /** The provider that has signed the person in, and the id of its session if it has one; missing: a password did. */
  provider: field<string | null, false>({ type: String, default: null }),
  providerSid: field<string | null, false>({ type: String, default: null }),
  /** A new sign-in at the provider that has not been used, see proofs.ts; null or missing: none. */
  proof: field<Part<typeof proofPart> | null, false>({ type: proofPart, default: null }),
  /** Browser and operating system, for display. */
  device: withDefault(''),
  createdAt: required(Date),
  lastUsedAt: required(Date),
  expiresAt: required(Date),
};

/** A signed-in device. The token itself is not stored. */
export type SessionDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<SessionDocument>('Session', 'sessions', fields);
schema.index({ tokenHash: 1 }, { unique: true });
schema.index({ userId: 1, lastUsedAt: -1 });
schema.index({ providerSid: 1, provider: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export type AccountModels = ReturnType<typeof createAccountModels>;

export function createAccountModels(connection: Connection) {
  return {
    users: createUserModel(connection),
    sessions: create(connection),
    identities: createIdentityModel(connection),
    links: createOneTimeLinkModel(connection),
    challenges: createChallengeModel(connection),
    passkeys: createPasskeyModel(connection),
    groups: createGroupModel(connection),
    guests: createGuestModel(connection),
    usage: createUsageModel(connection),
    settings: createSettingModel(connection),
  };
}
