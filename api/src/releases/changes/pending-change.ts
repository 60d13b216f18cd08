import type { Model } from 'mongoose';
import type { PendingChange } from '../../contract/compositions.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, nullable, required } from '../../store/fields.ts';

/** Retention, in seconds (90 days). The history keeps what was applied. */
const RETENTION_SECONDS = 90 * 86_400;

const fields = {
  _id: required(String),
  kind: required<PendingChange['kind']>(String),
  /** The validated body of the call, as JSON. */
  request: required(String),
  /** The pointer's revision that it is based on. */
  revision: required(Number),
  tokenId: required(String),
  tokenName: required(String),
  requestedAt: required(Date),
  expiresAt: required(Date),
  /** Set before it is applied, so that it cannot be rejected meanwhile. */
  approvedBy: nullable(String),
  appliedAt: nullable(Date),
  rejectedBy: nullable(String),
};

/** A requested change of production that waits for the approval of a second token. */
export type PendingChangeDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<PendingChangeDocument>('PendingChange', 'pending_changes', fields);
schema.index({ requestedAt: -1, _id: -1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

export type PendingChangeModel = Model<PendingChangeDocument>;
export const createPendingChangeModel = create;
