import { type Model, Schema, type Types } from 'mongoose';
import { defineModel } from '../../store/define-model.ts';
import type { DeletionDocument } from './deletion.ts';

/** `purge` is requested by the owner, `expire` happens after the retention time. */
export type AuditAction = 'erase' | 'undo' | 'purge' | 'expire';

/** Records that something was deleted, by whom, when and how much, but not what. */
interface AuditDocument {
  /** `<deletion>:<action>`: makes repeated writes idempotent. */
  _id: string;
  /** The deletion. */
  erasure: Types.ObjectId;
  at: Date;
  /** The owner. */
  actor: string;
  action: AuditAction;
  kind: DeletionDocument['kind'];
  /** The days of a deletion by date, in `tz`; '' for others. */
  from: string;
  to: string;
  tz: string;
  count: number;
  /** Keyed hashes, '' for none: they only show whether two deletions had the same target. */
  contactHash: string;
  textHash: string;
}

const { schema, create } = defineModel<AuditDocument>('Audit', 'audits', {
  _id: { type: String, required: true },
  erasure: { type: Schema.Types.ObjectId, required: true },
  at: { type: Date, required: true },
  actor: { type: String, required: true },
  action: { type: String, required: true },
  kind: { type: String, required: true },
  from: { type: String, default: '' },
  to: { type: String, default: '' },
  tz: { type: String, default: '' },
  count: { type: Number, required: true },
  contactHash: { type: String, default: '' },
  textHash: { type: String, default: '' },
});
schema.index({ actor: 1, at: -1 });

export type AuditModel = Model<AuditDocument>;
export const createAuditModel = create;
