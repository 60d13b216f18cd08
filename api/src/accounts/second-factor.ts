import { Schema } from 'mongoose';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, list, nullable, type Part, part, required, withDefault } from '../store/fields.ts';

/** The second factor of an account: codes of an authenticator app, or recovery codes. */
export const secondFactorPart = part({
  /** The secret is derived from it, the account and the server's secret, and not stored. */
  salt: required(String),
  /** null until a first code has confirmed it; it is not asked for before. */
  since: nullable(Date),
  /** The period of the latest code that was accepted: only codes of later ones are. */
  lastStep: withDefault(0),
  /** SHA-256 of the unused recovery codes, base64url. */
  recoveryHashes: list(String),
});
export type SecondFactorPart = Part<typeof secondFactorPart>;

const fields = {
  /** SHA-256 of the token, base64url. */
  _id: required(String),
  kind: required<'code' | 'passkey'>(String),
  /** null: not known before a passkey says it. */
  userId: nullable(Schema.Types.ObjectId),
  /** The hash against which the password was verified; '' for a sign-in with a passkey. A changed password ends the rest. */
  passwordHash: withDefault(''),
  expiresAt: required(Date),
};

/** What a code or a passkey is asked for: a sign-in, or a passkey to be added. */
export type ChallengeDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<ChallengeDocument>('SignInChallenge', 'sign_in_challenges', fields);
schema.index({ userId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const createChallengeModel = create;
