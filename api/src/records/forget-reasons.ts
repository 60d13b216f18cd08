import { databaseNow } from '../store/database-clock.ts';
import type { RecordModel } from './record.ts';

/** Days after an answer for which its explanation is stored: it is more than half of a record, and seldom asked for. */
const days = 30;
const day = 86_400_000;
/** Records per write. */
const slice = 500;

/** Removes explanations of older answers, in slices. */
export async function forgetReasons(records: RecordModel, signal: AbortSignal): Promise<void> {
  const old = { hasWhy: true, answeredAt: { $lt: new Date(databaseNow() - days * day) } };
  for (let isMore = true; isMore && !signal.aborted; ) {
    const some = await records.find(old, { _id: 1 }).sort({ answeredAt: 1 }).limit(slice).lean();
    isMore = some.length === slice;
    // One that is being answered again meanwhile keeps its new explanation.
    const still = { _id: { $in: some.map(({ _id }) => _id) }, ...old };
    await records.updateMany(still, { $unset: { why: 1, hasWhy: 1 } });
  }
}
