import { createHmac } from 'node:crypto';
import { isDuplicateKey } from '../../store/store-failure.ts';
import type { AuditAction, AuditModel } from './audit.ts';
import type { ErasureDocument } from './erasure.ts';

/** Who deleted how much, and when; of what only keyed hashes, so that an entry never says a word of what is gone. */
export interface Audits {
  /** '' for null. */
  hash(of: 'contact' | 'text', plain: string | null): string;
  /** Written once, however often it is tried: a crash behind the decision is made good by whoever goes on with the erasure. */
  write(erasure: ErasureDocument, action: AuditAction): Promise<void>;
}

/** `key` serves the audit alone, see `deriveKey`. */
export function createAudits(audits: AuditModel, key: Buffer): Audits {
  return {
    hash(of, plain) {
      if (plain === null) return '';
      return createHmac('sha256', key).update(`${of}\n${plain}`).digest('base64url');
    },

    async write({ _id, owner, kind, from, to, tz, matched, createdAt, turnedAt, ...hashes }, action) {
      const entry = {
        erasure: _id,
        at: action === 'erase' ? createdAt : (turnedAt ?? new Date()),
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
      try {
        await audits.updateOne(
          { _id: `${_id.toHexString()}:${action}` },
          { $setOnInsert: entry },
          { upsert: true },
        );
      } catch (cause) {
        if (!isDuplicateKey(cause)) throw cause;
      }
    },
  };
}
