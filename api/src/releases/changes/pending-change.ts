import type { Model } from 'mongoose';
import type { PendingChange } from '../../contract/compositions.ts';
import { defineModel } from '../../store/define-model.ts';

/** A requested change of production that waits for the approval of a second token. */
export interface PendingChangeDocument {
  _id: string;
  kind: PendingChange['kind'];
  /** The validated body of the call, as JSON. */
  request: string;
  /** The pointer's revision that it is based on. */
  revision: number;
  tokenId: string;
  tokenName: string;
  requestedAt: Date;
  expiresAt: Date;
  /** Set before it is applied, so that it cannot be rejected meanwhile. */
  approvedBy: string | null;
  appliedAt: Date | null;
  rejectedBy: string | null;
}

/** Retention, in seconds (90 days). The history keeps what was applied. */
const RETENTION_SECONDS = 90 * 86_400;

const text = { type: String, required: true };
const textOrNull = { type: String, default: null };
const date = { type: Date, required: true };

const { schema, create } = defineModel<PendingChangeDocument>('PendingChange', 'pending_changes', {
  _id: text,
  kind: text,
  request: text,
  revision: { type: Number, required: true },
  tokenId: text,
  tokenName: text,
  requestedAt: date,
  expiresAt: date,
  approvedBy: textOrNull,
  appliedAt: { type: Date, default: null },
  rejectedBy: textOrNull,
});
schema.index({ requestedAt: -1, _id: -1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

export type PendingChangeModel = Model<PendingChangeDocument>;
export const createPendingChangeModel = create;
