import { type Model, Schema } from 'mongoose';
import type { Share } from '../../contract/sharing.ts';
import { defineModel } from '../../store/define-model.ts';
import {
  type DocumentOf,
  field,
  list,
  nullable,
  optional,
  type Part,
  part,
  required,
} from '../../store/fields.ts';

const entry = part({
  id: field(Schema.Types.ObjectId),
  answeredAt: field<Date | null>(Date),
});
/** A record with the time of the answer that was shared: a later answer is not. */
export type SharedEntry = Part<typeof entry>;

const fields = {
  owner: required(String),
  conversationId: required(Schema.Types.ObjectId),
  /** SHA-256 of the token, see `hashOf`. */
  tokenHash: required(String),
  files: required(Boolean),
  /** Whether all versions of each question are shared. Missing in links of earlier versions, see `withChosenVersions`. */
  versions: optional(Boolean),
  /** The title if the owner chose it; null: derived from the first record that is visible. */
  title: nullable(String),
  /** Oldest first; a version has the place of its question unless all versions are shared. */
  records: list(entry),
  createdAt: required(Date),
  updatedAt: required(Date),
  /** Missing in links of earlier versions, which do not end. */
  expiresAt: field<Date | null, false>({ type: Date, default: null }),
};

/**
 * The link of a conversation, one at most. It names records instead of copying them, so that a deleted record
 * disappears from it as everywhere else.
 */
export type ShareDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<ShareDocument>('Share', 'shares', fields);
schema.index({ owner: 1, conversationId: 1 }, { unique: true });
schema.index({ owner: 1, createdAt: -1, _id: -1 });
schema.index({ tokenHash: 1 }, { unique: true });

export type ShareModel = Model<ShareDocument>;
export const createShareModel = create;

/** The representation for its owner. */
export function toShare(share: ShareDocument): Share {
  const { files, versions = false, records, createdAt, updatedAt, expiresAt = null } = share;
  return {
    files,
    versions,
    recordCount: records.length,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
