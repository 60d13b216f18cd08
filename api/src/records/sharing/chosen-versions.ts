import type { Types } from 'mongoose';
import { firstVersionOf, type RecordDocument, type RecordModel } from '../record.ts';
import type { ShareDocument, ShareModel } from './share.ts';

type Versioned = Pick<RecordDocument, '_id' | 'createdAt' | 'versionOf'>;

/**
 * One version of each question, in the order of the questions: the one in `shown`, otherwise the newest.
 * @param some oldest first.
 */
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
 * A link of an earlier version showed all versions, without a choice of its owner: from now on it shows the newest of those. Stored,
 * so that a replaced version stays hidden when the newest one is deleted.
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
