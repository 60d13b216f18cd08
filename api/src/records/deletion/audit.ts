import { type Model, Schema } from 'mongoose';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, required, withDefault } from '../../store/fields.ts';
import type { DeletionDocument } from './deletion.ts';

/** `purge` is requested by the owner, `expire` happens after the retention time. */
export type AuditAction = 'erase' | 'undo' | 'purge' | 'expire';

const fields = {
  /** `<deletion>:<action>`: makes repeated writes idempotent. */
  _id: required(String),
  /** The deletion. */
  erasure: required(Schema.Types.ObjectId),
  at: required(Date),
  /** The owner. */
  actor: required(String),
  action: required<AuditAction>(String),
  kind: required<DeletionDocument['kind']>(String),
  /** The days of a deletion by date, in `tz`; '' for others. */
  from: withDefault(''),
  to: withDefault(''),
  tz: withDefault(''),
  count: required(Number),
  /** Keyed hashes, '' for none: they only show whether two deletions had the same target. */
  contactHash: withDefault(''),
  textHash: withDefault(''),
};

/** Records that something was deleted, by whom, when and how much, but not what. */
type AuditDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<AuditDocument>('Audit', 'audits', fields);
schema.index({ actor: 1, at: -1 });

export type AuditModel = Model<AuditDocument>;
export const createAuditModel = create;
