import { setTimeout as delay } from 'node:timers/promises';
import { createHiddenRecords } from '../hidden-records.ts';
import type { RecordModels } from '../record-models.ts';
import type { ErasureDocument } from './erasure.ts';
import { checkEveryMs } from './erasure-work.ts';

/**
 * Replaces the criteria of running deletions by the ids of the records they name, before two owners are
 * merged: otherwise a deletion by contact or date would also match records of the other. No process works on
 * them until `isMoving` is cleared.
 */
export async function fixErasures(
  { erasures, records }: Pick<RecordModels, 'erasures' | 'records'>,
  owner: string,
): Promise<void> {
  const underWay = {
    owner,
    state: 'erasing',
    kind: { $in: ['contact', 'date'] },
    isFixed: { $ne: true },
  } as const;
  if (!(await erasures.exists(underWay))) return;
  await erasures.updateMany(underWay, { $set: { isMoving: true } });
  // A process that works on one checks its lease in this interval; wait slightly longer.
  await delay(checkEveryMs + 50);
  const hidden = createHiddenRecords(erasures);
  const named: { _id: ErasureDocument['_id']; ids: ErasureDocument['ids'] }[] = [];
  for (const erasure of await erasures.find(underWay).lean<ErasureDocument[]>()) {
    const condition = { $and: [{ owner, erasedBy: null }, await hidden.namedBy(erasure)] };
    const found = await records.find(condition, { _id: 1 }).lean();
    named.push({ _id: erasure._id, ids: found.map(({ _id }) => _id) });
  }
  for (const { _id, ids } of named) await erasures.updateOne({ _id }, { $set: { ids, isFixed: true } });
}
