import { type Connection, type Model, Schema, type Types } from 'mongoose';
import { defineModel } from '../store/define-model.ts';
import { createSettingModel, type SettingModel } from '../store/setting.ts';
import { createGuestModel, type GuestModel } from './guest.ts';
import { createOneTimeLinkModel, type OneTimeLinkModel } from './one-time-link.ts';
import { createIdentityModel, type IdentityModel } from './provided-identity.ts';
import { createUsageModel, type UsageModel } from './usage.ts';
import { createUserModel, type UserModel } from './user.ts';

/** A signed-in device. The token itself is not stored. */
export interface SessionDocument {
  _id: Types.ObjectId;
  /** SHA-256 of the token, base64url. */
  tokenHash: string;
  userId: Types.ObjectId;
  /** The provider that has signed the person in, and the id of its session if it has one; missing: a password did. */
  provider?: string | null;
  providerSid?: string | null;
  /** Browser and operating system, for display. */
  device: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

const { schema, create } = defineModel<SessionDocument>('Session', 'sessions', {
  tokenHash: { type: String, required: true },
  userId: { type: Schema.Types.ObjectId, required: true },
  provider: { type: String, default: null },
  providerSid: { type: String, default: null },
  device: { type: String, default: '' },
  createdAt: { type: Date, required: true },
  lastUsedAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
schema.index({ tokenHash: 1 }, { unique: true });
schema.index({ userId: 1, lastUsedAt: -1 });
schema.index({ providerSid: 1, provider: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

type SessionModel = Model<SessionDocument>;
const createSessionModel = create;

/** The collections of accounts on one connection. */
export interface AccountModels {
  users: UserModel;
  sessions: SessionModel;
  identities: IdentityModel;
  links: OneTimeLinkModel;
  guests: GuestModel;
  usage: UsageModel;
  settings: SettingModel;
}

export function createAccountModels(connection: Connection): AccountModels {
  return {
    users: createUserModel(connection),
    sessions: createSessionModel(connection),
    identities: createIdentityModel(connection),
    links: createOneTimeLinkModel(connection),
    guests: createGuestModel(connection),
    usage: createUsageModel(connection),
    settings: createSettingModel(connection),
  };
}
