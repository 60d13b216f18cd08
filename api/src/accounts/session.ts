import { type Model, Schema, type Types } from 'mongoose';
import { defineModel } from '../store/define-model.ts';

/** A signed-in device. The token itself is not stored. */
export interface SessionDocument {
  _id: Types.ObjectId;
  /** SHA-256 of the token, base64url. */
  tokenHash: string;
  userId: Types.ObjectId;
  /** Browser and operating system, for display. */
  device: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

const { schema, create } = defineModel<SessionDocument>('Session', 'sessions', {
  tokenHash: { type: String, required: true },
  userId: { type: Schema.Types.ObjectId, required: true },
  device: { type: String, default: '' },
  createdAt: { type: Date, required: true },
  lastUsedAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
schema.index({ tokenHash: 1 }, { unique: true });
schema.index({ userId: 1, lastUsedAt: -1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export type SessionModel = Model<SessionDocument>;
export const createSessionModel = create;
