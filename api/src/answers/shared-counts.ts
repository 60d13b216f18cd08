import { databaseDate, databaseNow } from '../store/database-clock.ts';
import { inSlices } from '../store/in-slices.ts';
import { writeAll } from '../store/write-all.ts';
import type { FindablePassage } from './findable.ts';
import type { KnowledgeModels } from './knowledge-models.ts';
import { type TermCount, termCountId } from './term-count.ts';

/** Row with the current generation of counts (`passages`) and the number of changes begun or ended (`version`). */
export const countingId = '!';
const changePrefix = '! ';

/** A change without a heartbeat for this long is dead, in ms. */
const timeoutMs = 60_000;
const slice = 500;

export function sharedScope(counting: number): string {
  return `shared-${counting}`;
}

type CountModels = Pick<KnowledgeModels, 'termCounts' | 'findable'>;

/**
 * Document frequencies of terms in shared passages.
 * Incremental counts, with a row for each running change: a killed process leaves its row, and the next sweep counts all passages into a new scope, which
 * then replaces the old one atomically.
 */
export function createSharedCounts({ termCounts, findable }: CountModels) {
  const until = () => new Date(databaseNow() + timeoutMs);
  const noteChange = () =>
    termCounts.updateOne(
      { _id: countingId },
      { $inc: { version: 1 }, $setOnInsert: { passages: 0 } },
      { upsert: true },
    );

  async function addTo(counting: number, changes: ReadonlyMap<string, number>): Promise<void> {
    const scope = sharedScope(counting);
    const changed = [...changes].filter(([, by]) => by !== 0);
    // In slices: a long document has tens of thousands.
    for (const some of inSlices(changed, slice * 2)) {
      const writes = some.map(([term, by]) => ({
        updateOne: {
          filter: { _id: termCountId(scope, term) as never },
          update: { $inc: { passages: by } },
          upsert: true,
        },
      }));
      await writeAll(termCounts.collection, writes);
    }
  }

  async function clear(counting: number): Promise<void> {
    const scope = sharedScope(counting);
    await termCounts.deleteMany({ _id: { $gte: `${scope} `, $lt: `${scope}!` } });
  }

  async function countAll(counting: number, signal: AbortSignal | undefined): Promise<void> {
    for (let after = ''; ; ) {
      signal?.throwIfAborted();
      const rows: Pick<FindablePassage, '_id' | 'owner' | 'edition' | 'terms'>[] = await findable
        .find({ _id: { $gt: after } }, { owner: 1, edition: 1, terms: 1 })
        .sort({ _id: 1 })
        .limit(slice)
        .lean();
      if (rows.length === 0) return;
      after = rows.at(-1)!._id;
      const shared = rows.filter(({ owner, edition }) => owner === '' && edition === '');
      await addTo(counting, countsOf(shared.map(({ terms }) => terms)));
    }
  }

  return {
    /** To be called before passages of a document are written or removed. If the process dies before `end`, `sweep` counts all passages again. */
    async begin(documentId: string): Promise<void> {
      await noteChange();
      await termCounts.updateOne(
        { _id: changePrefix + documentId },
        { $set: { until: until() }, $inc: { passages: 1 } },
        { upsert: true },
      );
    },
    /** Adds to the counts, and is a heartbeat of the change. The empty term counts passages. */
    async add(documentId: string, changes: ReadonlyMap<string, number>): Promise<void> {
      const now = await termCounts.findById(countingId).lean();
      await addTo(now?.passages ?? 0, changes);
      await termCounts.updateOne({ _id: changePrefix + documentId }, { $set: { until: until() } });
    },
    async end(documentId: string): Promise<void> {
      await noteChange();
      // More than one: another change of this document died or is running, and their counts cannot be distinguished.
      await termCounts.deleteOne({ _id: changePrefix + documentId, passages: 1 });
    },
    /** Whether changes are running or have died. */
    isDue: async (): Promise<boolean> =>
      (await termCounts.exists({ _id: { $gte: changePrefix, $lt: '!!' } })) !== null,
    /** Counts all passages again if a change died, unless others are running. Can be interrupted; by one process at a time. */
    async sweep(signal?: AbortSignal): Promise<boolean> {
      const changes = await termCounts.find({ _id: { $gte: changePrefix, $lt: '!!' } }).lean<TermCount[]>();
      const dead = changes.filter((change) => change.until! <= databaseDate());
      if (dead.length === 0 || dead.length < changes.length) return false;
      const now = await termCounts.findById(countingId).lean();
      if (!now) return false;
      const next = now.passages + 1;
      await clear(next);
      await countAll(next, signal);
      const { modifiedCount } = await termCounts.updateOne(
        { _id: countingId, version: now.version ?? 0 },
        { $set: { passages: next }, $inc: { version: 1 } },
      );
      if (modifiedCount === 0) return false;
      const ids = dead.map(({ _id }) => _id);
      await termCounts.deleteMany({ _id: { $in: ids }, until: { $lte: databaseDate() } });
      await clear(now.passages);
      return true;
    },
  };
}

/** Number of these passages with each term, and of all of them as ''; negative with `sign` -1. */
export function countsOf(passages: readonly (readonly string[])[], sign: 1 | -1 = 1): Map<string, number> {
  const counts = new Map<string, number>();
  if (passages.length > 0) counts.set('', sign * passages.length);
  for (const terms of passages) {
    for (const marked of terms) {
      const term = marked.slice(1);
      counts.set(term, (counts.get(term) ?? 0) + sign);
    }
  }
  return counts;
}
