import { type Model, Schema, type Types } from 'mongoose';
import type { Share } from '../../contract/sharing.ts';
import { defineModel } from '../../store/define-model.ts';

/**
 * The link of a conversation, one at most. It names records instead of copying them, so that a deleted record
 * disappears from it as everywhere else.
 */
export interface ShareDocument {
  _id: Types.ObjectId;
  owner: string;
  conversationId: Types.ObjectId;
  /** SHA-256 of the token, see `hashOf`. */
  tokenHash: string;
  files: boolean;
  /** Whether all versions of each question are shared. Missing in links of earlier versions, see `withChosenVersions`. */
  versions?: boolean;
  /** The title if the owner chose it; null: derived from the first record that is visible. */
  title: string | null;
  /** Oldest first; a version has the place of its question unless all versions are shared. */
  records: SharedEntry[];
  createdAt: Date;
  updatedAt: Date;
  /** Missing in links of earlier versions, which do not end. */
  expiresAt?: Date | null;
}

/** A record with the time of the answer that was shared: a later answer is not. */
export interface SharedEntry {
  id: Types.ObjectId;
  answeredAt: Date | null;
}

const entry = new Schema<SharedEntry>(
  { id: Schema.Types.ObjectId, answeredAt: Date },
  { _id: false, id: false },
);
const { schema, create } = defineModel<ShareDocument>('Share', 'shares', {
  owner: { type: String, required: true },
  conversationId: { type: Schema.Types.ObjectId, required: true },
  tokenHash: { type: String, required: true },
  files: { type: Boolean, required: true },
  versions: { type: Boolean },
  title: { type: String, default: null },
  records: { type: [entry], default: [] },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  expiresAt: { type: Date, default: null },
});
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
