import { setTimeout as delay } from 'node:timers/promises';
import type { RecordModels } from '../record-models.ts';
import type { ErasureDocument } from './erasure.ts';
import { checkEveryMs } from './erasure-work.ts';
import { createHiddenRecords } from './hidden-records.ts';

/**
 * Makes deletions under way name one by one the records that they named so far, before two owners become one: a deletion by contact or
 * date would go on to take what was the other's of that contact, or of these days. Nobody is at them until `isMoving` is taken away.
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
  // Whoever is at one has looked whether it goes on, and then a little longer.
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
