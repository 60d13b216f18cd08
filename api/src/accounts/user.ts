import type { Model, Types } from 'mongoose';
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
  /** Whether it is the first account: an editor unless operators revoked the right. */
  isFirst: boolean;
  /** Whether operators granted or revoked the right to change the knowledge base; null if neither. */
  isEditor: boolean | null;
  /** Whether it may change the settings of the desk; null or missing: neither the first account nor changed by operators. */
  isAdministrator?: boolean | null;
  createdAt: Date;
  /** Set by the decision to delete the account; its data is deleted first, then this document. */
  deletedAt: Date | null;
}

const { schema, create } = defineModel<UserDocument>('User', 'users', {
  username: { type: String, default: '' },
  nameKey: { type: String, required: true },
  passwordHash: { type: String, default: '' },
  isFirst: { type: Boolean, default: false },
  isEditor: { type: Boolean, default: null },
  isAdministrator: { type: Boolean, default: null },
  createdAt: { type: Date, required: true },
  deletedAt: { type: Date, default: null },
});
schema.index({ nameKey: 1 }, { unique: true });
schema.index({ deletedAt: 1, createdAt: 1, _id: 1 });
schema.index({ isEditor: 1 }, { partialFilterExpression: { isEditor: true } });
schema.index({ isAdministrator: 1 }, { partialFilterExpression: { isAdministrator: true } });
schema.index({ isFirst: 1 }, { partialFilterExpression: { isFirst: true } });

export type UserModel = Model<UserDocument>;
export const createUserModel = create;
