import { createHmac } from 'node:crypto';
import { databaseDate } from '../../store/database-clock.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import type { AuditAction, AuditModel } from './audit.ts';
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
    async write(
      { _id, owner, kind, from, to, tz, matched, createdAt, turnedAt, ...hashes }: DeletionDocument,
      action: AuditAction,
    ): Promise<void> {
      const entry = {
        erasure: _id,
        at: action === 'erase' ? createdAt : (turnedAt ?? databaseDate()),
        actor: owner,
        action,
        kind,
        from,
        to,
        tz,
        count: matched,
        contactHash: hashes.contactHash,
        textHash: hashes.textHash,
      };
      const written = audits.updateOne(
        { _id: `${_id.toHexString()}:${action}` },
        { $setOnInsert: entry },
        { upsert: true },
      );
      await unlessDuplicate(written);
    },
  };
}
