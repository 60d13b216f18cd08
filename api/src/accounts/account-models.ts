import { createHash } from 'node:crypto';
import { type Model, Schema } from 'mongoose';
import type { ProofPurpose } from '../contract/accounts.ts';
import type { GivenRole } from '../contract/rights.ts';
import { defineModel, modelsOf } from '../store/define-model.ts';
import {
  type DocumentOf,
  field,
  list,
  nullable,
  optional,
  type Part,
  part,
  required,
  withDefault,
} from '../store/fields.ts';
import { settingModel } from '../store/setting.ts';

const objectId = Schema.Types.ObjectId;
/** null, or missing in documents of earlier versions. */
const dateOrNone = field<Date | null, false>({ type: Date, default: null });
const textOrNone = field<string | null, false>({ type: String, default: null });

/** The second factor of an account: codes of an authenticator app, or recovery codes. */
const secondFactor = part({
  /** The secret is derived from it, the account and the server's secret, and not stored. */
  salt: required(String),
  /** null until a first code has confirmed it; it is not asked for before. */
  since: nullable(Date),
  /** The period of the latest code that was accepted: only codes of later ones are. */
  lastStep: withDefault(0),
  /** SHA-256 of the unused recovery codes, base64url. */
  recoveryHashes: list(String),
});

const userFields = {
  /** As entered at sign-up (NFKC, trimmed); '' while the account is being deleted. */
  username: withDefault(''),
  /** The case-insensitive name, unique; a line feed and the id while the account is being deleted. */
  nameKey: required(String),
  /** argon2id in PHC format; '' while the account is being deleted. */
  passwordHash: withDefault(''),
  /** null or missing: none. */
  secondFactor: field<Part<typeof secondFactor> | null, false>({ type: secondFactor, default: null }),
  /** The roles given to it; null or missing: nobody has changed them, see rights.ts. */
  roles: field<GivenRole[] | null, false>({ type: [String], default: null }),
  /** Ids of its groups; null or missing: none. */
  groups: optional<string[] | null>([String]),
  createdAt: required(Date),
  /** Time of the latest sign-in; missing for accounts without a sign-in since this field exists. */
  signedInAt: dateOrNone,
  /** Since when it may not sign in, by decision of an administrator; null or missing: it may. */
  disabledAt: dateOrNone,
  /** When it is deleted, by decision of an administrator; it is disabled until then. */
  deleteAt: dateOrNone,
  /** Set by the decision to delete the account; its data is deleted first, then this document. */
  deletedAt: nullable(Date),
};
export type UserDocument = DocumentOf<typeof userFields>;
export type UserModel = Model<UserDocument>;

const users = defineModel<UserDocument>('User', 'users', userFields);
users.schema
  .index({ nameKey: 1 }, { unique: true })
  .index({ deleteAt: 1 })
  .index({ deletedAt: 1, createdAt: 1, _id: 1 })
  .index({ roles: 1, createdAt: 1 })
  .index({ roles: 1, nameKey: 1 })
  .index({ groups: 1, nameKey: 1 });
export const createUserModel = users.create;

const proof = part({ purpose: required<ProofPurpose>(String), at: required(Date) });

const sessionFields = {
  /** SHA-256 of the token, base64url. */
  tokenHash: required(String),
  userId: required(objectId),
  /** The provider that has signed the person in, and the id of its session if it has one; missing: a password did. */
  provider: textOrNone,
  providerSid: textOrNone,
  /** A new sign-in at the provider that has not been used, see proofs.ts; null or missing: none. */
  proof: field<Part<typeof proof> | null, false>({ type: proof, default: null }),
  /** Browser and operating system, for display. */
  device: withDefault(''),
  createdAt: required(Date),
  lastUsedAt: required(Date),
  expiresAt: required(Date),
};
/** A signed-in device. The token itself is not stored. */
const sessions = defineModel<DocumentOf<typeof sessionFields>>('Session', 'sessions', sessionFields);
sessions.schema
  .index({ tokenHash: 1 }, { unique: true })
  .index({ userId: 1, lastUsedAt: -1 })
  .index({ providerSid: 1, provider: 1 })
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const identityFields = {
  /** See `identityId`. */
  _id: required(String),
  userId: required(objectId),
  createdAt: required(Date),
};
/** A person at a provider, and the account that belongs to it. */
const identities = defineModel<DocumentOf<typeof identityFields>>('Identity', 'identities', identityFields);
identities.schema.index({ userId: 1 });

/** A hash of issuer and subject, which together identify a person (OpenID Connect Core 1.0, section 5.7). */
export function identityId(issuer: string, subject: string): string {
  const person = JSON.stringify([issuer, subject]);
  return createHash('sha256').update(person).digest('base64url');
}

const linkFields = {
  /** SHA-256 of the token, base64url. */
  _id: required(String),
  /** The account whose password is set; null: an invitation to create one. */
  userId: nullable(objectId),
  /** Roles of the new account. */
  roles: list<GivenRole>(String),
  /** The administrator who has made it; null in links of earlier versions. */
  madeBy: nullable(objectId),
  expiresAt: required(Date),
};
/** A link that an administrator hands over. */
export type OneTimeLinkDocument = DocumentOf<typeof linkFields>;

const links = defineModel<OneTimeLinkDocument>('OneTimeLink', 'one_time_links', linkFields);
links.schema.index({ userId: 1 }).index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const challengeFields = {
  /** SHA-256 of the token, base64url. */
  _id: required(String),
  kind: required<'code' | 'passkey'>(String),
  /** null: not known before a passkey says it. */
  userId: nullable(objectId),
  /** The hash against which the password was verified; '' for a sign-in with a passkey. A changed password ends the rest. */
  passwordHash: withDefault(''),
  expiresAt: required(Date),
};
/** A pending request for a code or a passkey: for a sign-in, or for a passkey to be added. */
export type ChallengeDocument = DocumentOf<typeof challengeFields>;

const challenges = defineModel<ChallengeDocument>('SignInChallenge', 'sign_in_challenges', challengeFields);
challenges.schema.index({ userId: 1 }).index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const passkeyFields = {
  userId: required(objectId),
  /** Id that the authenticator gave it, base64url. */
  credentialId: required(String),
  /** COSE, base64url. */
  publicKey: required(String),
  /** Number of uses, for authenticators that count them; otherwise 0. */
  counter: withDefault(0),
  transports: list(String),
  name: withDefault(''),
  createdAt: required(Date),
  lastUsedAt: nullable(Date),
};
/** A public key with which an account can be signed in to. */
const passkeys = defineModel<DocumentOf<typeof passkeyFields>>('Passkey', 'passkeys', passkeyFields);
passkeys.schema.index({ credentialId: 1 }, { unique: true }).index({ userId: 1, createdAt: 1 });

const groupFields = {
  /** 24 hex digits. */
  _id: required(String),
  /** Unique. */
  name: required(String),
  /** As in `GroupRequest`. */
  claim: withDefault(''),
  /** Roles of its members. */
  roles: list<GivenRole>(String),
};
/** A group of accounts, which name it in `UserDocument.groups`. */
export type GroupDocument = DocumentOf<typeof groupFields>;

const groups = defineModel<GroupDocument>('Group', 'groups', groupFields);
groups.schema.index({ name: 1 }, { unique: true });

const guestFields = {
  /** The id in the guest's cookie. */
  _id: required(String),
  lastUsedAt: required(Date),
  /** Time after which the guest's data may be deleted. */
  expiresAt: required(Date),
  /** The account that adopts this guest's data. Never cleared, so that the adoption can be completed after a crash. */
  adoptedBy: nullable(objectId),
};
/** A guest who has written something; guests who only read have no document. */
export type GuestDocument = DocumentOf<typeof guestFields>;

const guests = defineModel<GuestDocument>('Guest', 'guests', guestFields);
// No TTL index, because the guest's records must be deleted first. The second one is for unfinished adoptions.
guests.schema.index({ expiresAt: 1 }).index({ adoptedBy: 1 });

/** Retention of daily usage, in seconds (90 days). */
const usageSeconds = 90 * 86_400;

const usageFields = {
  owner: required(String),
  /** YYYY-MM-DD. */
  day: required(String),
  questions: withDefault(0),
  /** Reported by the endpoint, or estimated; includes reservations of running questions. */
  tokens: withDefault(0),
  /** Start of the day. */
  at: required(Date),
};
export type UsageDocument = DocumentOf<typeof usageFields>;

const usage = defineModel<UsageDocument>('ModelUsage', 'model_usage', usageFields);
usage.schema
  .index({ owner: 1, day: 1 }, { unique: true })
  .index({ at: 1 }, { expireAfterSeconds: usageSeconds });

export type AccountModels = ReturnType<typeof createAccountModels>;
export const createAccountModels = modelsOf({
  users,
  sessions,
  identities,
  links,
  challenges,
  passkeys,
  groups,
  guests,
  usage,
  settings: settingModel,
});
