import { createHash } from 'node:crypto';
import { type Model, Schema, type Types } from 'mongoose';
import { Share } from '../../contract/sharing.ts';
import { defineModel } from '../../store/define-model.ts';
import { describeAs } from '../../store/describe-as.ts';
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
import { firstVersionOf, type RecordDocument, type RecordModel } from '../record.ts';

const entry = part({ id: field(Schema.Types.ObjectId), answeredAt: field<Date | null>(Date) });
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

/** The link of a conversation, which has at most one. It names records, so that deleted ones disappear from it. */
export type ShareDocument = DocumentOf<typeof fields>;

export const shareModel = defineModel<ShareDocument>('Share', 'shares', fields);
shareModel.schema.index({ owner: 1, conversationId: 1 }, { unique: true });
shareModel.schema.index({ owner: 1, createdAt: -1, _id: -1 });
shareModel.schema.index({ tokenHash: 1 }, { unique: true });

type ShareModel = Model<ShareDocument>;

export function toShare(share: ShareDocument): Share {
  const { versions = false, records, expiresAt = null } = share;
  return describeAs(Share, { ...share, versions, recordCount: records.length, expiresAt });
}

/** The stored form of a token. A plain hash suffices, because the token is random. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

type Versioned = Pick<RecordDocument, '_id' | 'createdAt' | 'versionOf'>;

/** Of each question the version in `shown`, otherwise the newest. @param some oldest first */
export function chosenVersions<T extends Versioned>(some: readonly T[], shown: ReadonlySet<string>): T[] {
  const byQuestion = Map.groupBy(some, (record) => firstVersionOf(record).toHexString());
  return Array.from(
    byQuestion.values(),
    (versions) =>
      versions.findLast(({ _id }) => shown.has(_id.toHexString())) ??
      versions.reduce((one, other) => (numberOf(other) > numberOf(one) ? other : one)),
  ).sort((one, other) => placeOf(one) - placeOf(other));
}

/**
 * A link that an earlier version of the desk created shows all versions of each question. Now it shows only the newest
 * one; that is stored, so that a replaced version stays hidden when the newest one is deleted.
 */
export async function withChosenVersions(
  models: { shares: ShareModel; records: RecordModel },
  share: ShareDocument,
): Promise<ShareDocument> {
  if (share.versions !== undefined && share.versions !== null) return share;
  const { _id, owner, tokenHash } = share;
  const ids = share.records.map(({ id }): Types.ObjectId => id);
  const found = await models.records
    .find({ _id: { $in: ids }, owner }, { createdAt: 1, versionOf: 1 })
    .sort({ createdAt: 1, _id: 1 })
    .lean<Versioned[]>();
  const entries = new Map(share.records.map((entry) => [entry.id.toHexString(), entry]));
  const records = chosenVersions(found, new Set()).map((record) => entries.get(record._id.toHexString())!);
  const chosen = { versions: false, records };
  await models.shares.updateOne({ _id, tokenHash, versions: null }, { $set: chosen });
  return { ...share, ...chosen };
}

function numberOf({ versionOf }: Versioned): number {
  return versionOf?.number ?? 1;
}

function placeOf({ versionOf, createdAt }: Versioned): number {
  return (versionOf?.createdAt ?? createdAt).getTime();
}
