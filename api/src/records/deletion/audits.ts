import { createHmac } from 'node:crypto';
import { type Model, Schema } from 'mongoose';
import { databaseDate } from '../../store/database-clock.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, required, withDefault } from '../../store/fields.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import type { DeletionDocument } from './deletion.ts';

export type Audits = ReturnType<typeof createAudits>;

/**
 * The audit log of deletions: who deleted how much, and when; the target only as keyed hashes, so that an
 * entry contains no deleted text.
 * `key` is used for the audit log only, see `deriveKey`.
 */
export function createAudits(audits: AuditModel, key: Buffer) {
  return {
    /** '' for null. */
    hash(of: 'contact' | 'text', plain: string | null): string {
      if (plain === null) return '';
      return createHmac('sha256', key).update(`${of}\n${plain}`).digest('base64url');
    },

    /** Idempotent: after a crash following the decision, the process that continues the deletion writes it. */
    async write(deletion: DeletionDocument, action: AuditAction): Promise<void> {
      const { _id: erasure, owner: actor, createdAt, turnedAt } = deletion;
      const { kind, from, to, tz, matched: count, contactHash, textHash } = deletion;
      const at = action === 'erase' ? createdAt : (turnedAt ?? databaseDate());
      const entry = { erasure, at, actor, action, kind, from, to, tz, count, contactHash, textHash };
      const _id = `${erasure.toHexString()}:${action}`;
      await unlessDuplicate(audits.updateOne({ _id }, { $setOnInsert: entry }, { upsert: true }));
    },
  };
}

/** `purge` is requested by the owner, `expire` happens after the retention time. */
type AuditAction = 'erase' | 'undo' | 'purge' | 'expire';

const fields = {
  /** `<deletion>:<action>`: makes repeated writes idempotent. */
  _id: required(String),
  erasure: required(Schema.Types.ObjectId),
  at: required(Date),
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

export const auditModel = defineModel<AuditDocument>('Audit', 'audits', fields);
auditModel.schema.index({ actor: 1, at: -1 });

export type AuditModel = Model<AuditDocument>;
