import { type AnyBulkWriteOperation, Types } from 'mongoose';
import { databaseDate } from '../../store/database-clock.ts';
import { retryConflicts } from '../../store/retry-conflicts.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import { type DayRange, dayRange } from '../../text/day-range.ts';
import { inRange } from '../hidden-records.ts';
import { countedFields, type RecordDocument } from '../record.ts';
import type { RecordModels } from '../record-models.ts';
import { type CountedDay, type CountedRecord, packEntries } from './counted-day.ts';

/** Changed records and their days up to which a reader counts these days itself. */
const maxChanged = 2000;
const maxChangedDays = 62;
/** Changed records per read. */
const slice = 1000;
/** Days that are checked per sweep, those first whose last check is the longest ago. */
const checkedPerSweep = 50;

const seenFields = [...countedFields, 'owner', 'erasedBy', 'isCounted'].join(' ');

type SeenRecord = CountedRecord & Pick<RecordDocument, '_id' | 'owner' | 'erasedBy' | 'isCounted'>;
export type ReadDay = Pick<CountedDay, 'day' | 'entries'>;

export type CountedDays = ReturnType<typeof createCountedDays>;

/**
 * What statistics count, by owner and day, so that they need not read the records. A record that is new or changed is not
 * marked as counted, see `record.ts`; a job counts its day again and marks it. Days with such records are counted when they
 * are read. Records that leave a day unmarked, because they are removed or get another date, need `recount`.
 */
export function createCountedDays({
  records,
  countedDays: days,
}: Pick<RecordModels, 'records' | 'countedDays'>) {
  /** The visible records of a day in a fixed order. */
  const recordsOf = (owner: string, day: string): Promise<SeenRecord[]> =>
    records
      .find({ owner, erasedBy: null, ...inRange(dayRange(day, day, 'UTC')) }, seenFields)
      .sort({ createdAt: 1, _id: 1 })
      .lean<SeenRecord[]>();

  /** Writes what is counted of a day, if it differs. null: another process has written it meanwhile. */
  async function write(owner: string, day: string): Promise<SeenRecord[] | null> {
    const before = await days.findOne({ owner, day }).lean();
    const found = await recordsOf(owner, day);
    const entries = packEntries(found);
    const seen = before && { _id: before._id, revision: before.revision };
    if (before && bytesOf(before).equals(entries)) return found;
    if (found.length === 0) {
      if (!seen) return found;
      return (await days.deleteOne(seen)).deletedCount === 1 ? found : null;
    }
    const counted = { entries, revision: new Types.ObjectId(), checkedAt: databaseDate() };
    const isWritten = seen
      ? (await days.updateOne(seen, { $set: counted })).matchedCount === 1
      : await unlessDuplicate(days.create({ owner, day, ...counted }));
    return isWritten ? found : null;
  }

  /** Counts days again and marks their records. Returns the number of those marked. */
  async function count(owner: string, some: Iterable<string>): Promise<number> {
    const marks: AnyBulkWriteOperation<RecordDocument>[] = [];
    for (const day of some) {
      const range = inRange(dayRange(day, day, 'UTC'));
      const erased = await records
        .find({ isCounted: null, owner, ...range, erasedBy: { $ne: null } }, seenFields)
        .lean<SeenRecord[]>();
      const found = await retryConflicts(() => write(owner, day));
      const visible = new Set(found.map(({ _id }) => _id.toHexString()));
      const gone = erased.filter(({ _id }) => !visible.has(_id.toHexString()));
      for (const record of [...found, ...gone])
        if (!record.isCounted)
          marks.push({ updateOne: { filter: unchanged(record), update: { $set: { isCounted: true } } } });
    }
    return marks.length === 0 ? 0 : (await records.bulkWrite(marks, { ordered: false })).matchedCount;
  }

  /** Counts the days of all records that have changed. */
  async function countChanged(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const changed = await records
        .find({ isCounted: null }, { owner: 1, createdAt: 1 })
        .sort({ owner: 1, createdAt: 1 })
        .limit(slice)
        .lean();
      let marked = 0;
      for (const [owner, theirs] of Map.groupBy(changed, (record) => record.owner))
        if (!signal.aborted) marked += await count(owner, daysOf(theirs));
      // What changes at this moment is left for the next time.
      if (changed.length < slice || marked === 0) return;
    }
  }

  return {
    kind: 'count records',

    /** Counts days of changed records, and checks some others. */
    async sweep(signal: AbortSignal): Promise<void> {
      await countChanged(signal);
      const oldest = await days
        .find({}, { owner: 1, day: 1 })
        .sort({ checkedAt: 1 })
        .limit(checkedPerSweep)
        .lean();
      for (const { owner, day } of oldest) if (!signal.aborted) await retryConflicts(() => write(owner, day));
      const ids = oldest.map(({ _id }) => _id);
      if (ids.length > 0)
        await days.updateMany({ _id: { $in: ids } }, { $set: { checkedAt: databaseDate() } });
    },

    /** Counts the days of these records again. */
    recount: (owner: string, some: readonly Pick<RecordDocument, 'createdAt'>[]): Promise<unknown> =>
      count(owner, daysOf(some)),

    /** The days of the range, in no order; null if more has changed since they were counted than a reader should count. */
    async read(owner: string, range: DayRange): Promise<ReadDay[] | null> {
      const changed = await records
        .find({ isCounted: null, owner, ...inRange(range) }, { createdAt: 1 })
        .limit(maxChanged + 1)
        .lean();
      const changedDays = daysOf(changed);
      if (changed.length > maxChanged || changedDays.size > maxChangedDays) return null;
      const { since, until } = range;
      const day = {
        ...(since ? { $gte: dayIn(since) } : {}),
        ...(until ? { $lte: dayIn(until) } : {}),
      };
      const [kept, ...counted] = await Promise.all([
        days
          .find({ owner, ...(since || until ? { day } : {}) }, { day: 1, entries: 1, _id: 0 })
          .lean<CountedDay[]>(),
        ...[...changedDays].map(async (changedDay) => ({
          day: changedDay,
          entries: packEntries(await recordsOf(owner, changedDay)),
        })),
      ]);
      const unchangedDays = kept
        .filter((one) => !changedDays.has(one.day))
        .map((one) => ({ day: one.day, entries: bytesOf(one) }));
      return [...unchangedDays, ...counted];
    },
  };
}

function dayIn(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

function daysOf(some: readonly Pick<RecordDocument, 'createdAt'>[]): Set<string> {
  return new Set(some.map(({ createdAt }) => dayIn(createdAt)));
}

/** A lean document has a `Binary` of the driver's. */
function bytesOf({ entries }: Pick<CountedDay, 'entries'>): Buffer {
  const { buffer, byteOffset, byteLength } = entries.buffer as unknown as Buffer;
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Condition for a record of which nothing that is counted has changed. */
function unchanged(record: SeenRecord): Record<string, unknown> {
  const { _id, owner, erasedBy, contact, feedback } = record;
  const counted = countedFields.map((field) => [field, record[field] ?? null]);
  const { contact: _contact, feedback: _feedback, ...plain } = Object.fromEntries(counted);
  const ofParts = { 'contact.id': contact?.id ?? null, 'feedback.rating': feedback?.rating ?? null };
  return { _id, owner, erasedBy, ...plain, ...ofParts };
}
