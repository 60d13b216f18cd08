import type { Model, Types } from 'mongoose';
import type { GivenRole } from '../contract/rights.ts';
import { defineModel } from '../store/define-model.ts';

/** An account. */
export interface UserDocument {
  _id: Types.ObjectId;
  /** As entered at sign-up (NFKC, trimmed); '' while the account is being deleted. */
  username: string;
  /** The case-insensitive name, unique; a line feed and the id while the account is being deleted. */
  nameKey: string;
  /** argon2id in PHC format; '' while the account is being deleted. */
  passwordHash: string;
  /** The roles given to it; null or missing: nobody has changed them, see rights.ts. */
  roles?: GivenRole[] | null;
  createdAt: Date;
  /** Of the latest sign-in; missing for accounts that have not signed in since this is recorded. */
  signedInAt?: Date | null;
  /** Since when it may not sign in, by decision of an administrator; null or missing: it may. */
  disabledAt?: Date | null;
  /** When it is deleted, by decision of an administrator; it is disabled until then. */
  deleteAt?: Date | null;
  /** Set by the decision to delete the account; its data is deleted first, then this document. */
  deletedAt: Date | null;
}

const { schema, create } = defineModel<UserDocument>('User', 'users', {
  username: { type: String, default: '' },
  nameKey: { type: String, required: true },
  passwordHash: { type: String, default: '' },
  roles: { type: [String], default: null },
  createdAt: { type: Date, required: true },
  signedInAt: { type: Date, default: null },
  disabledAt: { type: Date, default: null },
  deleteAt: { type: Date, default: null },
  deletedAt: { type: Date, default: null },
});
schema.index({ nameKey: 1 }, { unique: true });
schema.index({ deleteAt: 1 });
schema.index({ deletedAt: 1, createdAt: 1, _id: 1 });
schema.index({ roles: 1, createdAt: 1 });
schema.index({ roles: 1, nameKey: 1 });

export type UserModel = Model<UserDocument>;
export const createUserModel = create;
