import { type AnyBulkWriteOperation, Types } from 'mongoose';
import { databaseDate } from '../../store/database-clock.ts';
import { retryConflicts } from '../../store/retry-conflicts.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import { type DayRange, dayRange } from '../../text/day-range.ts';
import { inRange } from '../hidden-records.ts';
import { countedFields, type RecordDocument } from '../record.ts';
import type { RecordModels } from '../record-models.ts';
import { type CountedDay, type CountedRecord, packEntries } from './counted-day.ts';

/** With more changed records, or more days with such records, a reader does not count these days itself. */
const maxChanged = 2000;
const maxChangedDays = 62;
/** Changed records per read. */
const slice = 1000;
/** Days that are read together: at most this many from the first to the last, and from one to the next. */
const maxRun = 31;
const maxGap = 7;
/** Days that are sent together, so that statistics of some years need one round trip; a batch ends at 16 MB. */
const maxDaysPerRead = 5000;
/** Days that are checked per sweep, those with the oldest check first. */
const checkedPerSweep = 50;

const seenFields = [...countedFields, 'owner', 'erasedBy', 'isCounted'].join(' ');

type SeenRecord = CountedRecord & Pick<RecordDocument, '_id' | 'owner' | 'erasedBy' | 'isCounted'>;
export type ReadDay = Pick<CountedDay, 'day' | 'entries'>;

export type CountedDays = ReturnType<typeof createCountedDays>;

/**
 * What statistics count, by owner and day, so that they need not read the records. A new or changed record is not marked
 * as counted, see `record.ts`; a job counts its day again and marks it. Days with unmarked records are counted when they
 * are read. When a record is removed or gets another date, no mark tells: its former day needs `recount`.
 */
export function createCountedDays({
  records,
  countedDays: days,
}: Pick<RecordModels, 'records' | 'countedDays'>) {
  /** The visible records of a run of days, in a fixed order. */
  async function recordsOf(owner: string, run: readonly string[]): Promise<Map<string, SeenRecord[]>> {
    const found = await records
      .find({ owner, erasedBy: null, ...inRange(rangeOf(run)) }, seenFields)
      .sort({ createdAt: 1, _id: 1 })
      .lean<SeenRecord[]>();
    const byDay = Map.groupBy(found, ({ createdAt }) => dayIn(createdAt));
    return new Map(run.map((day) => [day, byDay.get(day) ?? []]));
  }

  /** Writes what is counted of some days, if it differs. null: another process has written one of them meanwhile. */
  async function write(owner: string, some: readonly string[]): Promise<SeenRecord[] | null> {
    const before = await days.find({ owner, day: { $in: some } }).lean<CountedDay[]>();
    const keptOf = new Map(before.map((one) => [one.day, one]));
    const byDay = await recordsOf(owner, some);
    const [revision, checkedAt] = [new Types.ObjectId(), databaseDate()];
    const writes = some.flatMap((day): AnyBulkWriteOperation<CountedDay>[] => {
      const kept = keptOf.get(day);
      const entries = packEntries(byDay.get(day) ?? []);
      if (kept ? bytesOf(kept).equals(entries) : entries.length === 0) return [];
      const counted = { entries, revision, checkedAt };
      if (!kept) return [{ insertOne: { document: { owner, day, ...counted } } }];
      const filter = { _id: kept._id, revision: kept.revision };
      const isEmpty = entries.length === 0;
      return [isEmpty ? { deleteOne: { filter } } : { updateOne: { filter, update: { $set: counted } } }];
    });
    let written = 0;
    const writing = async () => {
      const { insertedCount, matchedCount, deletedCount } = await days.bulkWrite(writes, { ordered: false });
      written = insertedCount + matchedCount + deletedCount;
    };
    const isNew = writes.length === 0 || (await unlessDuplicate(writing()));
    return isNew && written === writes.length ? [...byDay.values()].flat() : null;
  }

  /** Counts days again and marks their records. Returns the number of those marked. */
  async function count(owner: string, some: Iterable<string>): Promise<number> {
    let marked = 0;
    for (const run of runsOf([...some].sort())) {
      const { since, until } = rangeOf(run);
      const erased = await records
        .find({ isCounted: null, owner, ...inRange({ since, until }), erasedBy: { $ne: null } }, seenFields)
        .lean<SeenRecord[]>();
      const found = await retryConflicts(() => write(owner, run));
      const visible = new Set(found.map(({ _id }) => _id.toHexString()));
      const gone = erased.filter(
        ({ _id, createdAt }) => run.includes(dayIn(createdAt)) && !visible.has(_id.toHexString()),
      );
      const marks = [...found, ...gone].flatMap((record): AnyBulkWriteOperation<RecordDocument>[] =>
        record.isCounted
          ? []
          : [{ updateOne: { filter: unchanged(record), update: { $set: { isCounted: true } } } }],
      );
      if (marks.length > 0) marked += (await records.bulkWrite(marks, { ordered: false })).matchedCount;
    }
    return marked;
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
      for (const [owner, theirs] of Map.groupBy(oldest, (one) => one.owner)) {
        const checked = theirs.map(({ day }) => day);
        if (!signal.aborted) await count(owner, checked);
      }
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
          .batchSize(maxDaysPerRead)
          .lean<CountedDay[]>(),
        ...runsOf([...changedDays].sort()).map(async (run) =>
          [...(await recordsOf(owner, run))].map(([changedDay, theirs]) => ({
            day: changedDay,
            entries: packEntries(theirs),
          })),
        ),
      ]);
      const unchangedDays = kept
        .filter((one) => !changedDays.has(one.day))
        .map((one) => ({ day: one.day, entries: bytesOf(one) }));
      return [...unchangedDays, ...counted.flat()];
    },
  };
}

function dayIn(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** Days in order as runs, so that one range reads few others. */
function runsOf(sorted: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (const day of sorted) {
    const run = runs.at(-1);
    if (run && daysBetween(run.at(-1)!, day) <= maxGap && daysBetween(run[0]!, day) < maxRun) run.push(day);
    else runs.push([day]);
  }
  return runs;
}

function daysBetween(day: string, other: string): number {
  return (Date.parse(other) - Date.parse(day)) / 86_400_000;
}

const rangeOf = (run: readonly string[]): DayRange => dayRange(run[0], run.at(-1), 'UTC');

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
