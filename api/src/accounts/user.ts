import type { Model } from 'mongoose';
import type { GivenRole } from '../contract/rights.ts';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, field, nullable, optional, required, withDefault } from '../store/fields.ts';
import { type SecondFactorPart, secondFactorPart } from './second-factor.ts';

/** null, or missing in documents of earlier versions. */
const dateOrNone = field<Date | null, false>({ type: Date, default: null });

const fields = {
  /** As entered at sign-up (NFKC, trimmed); '' while the account is being deleted. */
  username: withDefault(''),
  /** The case-insensitive name, unique; a line feed and the id while the account is being deleted. */
  nameKey: required(String),
  /** argon2id in PHC format; '' while the account is being deleted. */
  passwordHash: withDefault(''),
  /** null or missing: none. */
  secondFactor: field<SecondFactorPart | null, false>({ type: secondFactorPart, default: null }),
  /** The roles given to it; null or missing: nobody has changed them, see rights.ts. */
  roles: field<GivenRole[] | null, false>({ type: [String], default: null }),
  /** Ids of its groups; null or missing: none. */
  groups: optional<string[] | null>([String]),
  createdAt: required(Date),
  /** Of the latest sign-in; missing for accounts that have not signed in since this is recorded. */
  signedInAt: dateOrNone,
  /** Since when it may not sign in, by decision of an administrator; null or missing: it may. */
  disabledAt: dateOrNone,
  /** When it is deleted, by decision of an administrator; it is disabled until then. */
  deleteAt: dateOrNone,
  /** Set by the decision to delete the account; its data is deleted first, then this document. */
  deletedAt: nullable(Date),
};

export type UserDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<UserDocument>('User', 'users', fields);
schema.index({ nameKey: 1 }, { unique: true });
schema.index({ deleteAt: 1 });
schema.index({ deletedAt: 1, createdAt: 1, _id: 1 });
schema.index({ roles: 1, createdAt: 1 });
schema.index({ roles: 1, nameKey: 1 });
schema.index({ groups: 1, nameKey: 1 });

export type UserModel = Model<UserDocument>;
export const createUserModel = create;
