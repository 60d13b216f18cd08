import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import { inSlices } from '../../store/in-slices.ts';
import { writeAll } from '../../store/write-all.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { collectionOf, isShared } from './document.ts';
import type { FindablePassage } from './findable.ts';
import { type TermCount, termCountId } from './term-count.ts';

/** Id of the row with the current generation (`passages`) and the number of changes (`version`). */
export const countingId = '!';
/** Prefix of ids of rows for running changes, before the document's id. */
const changePrefix = '! ';

/** Time without a heartbeat after which a change counts as dead, in ms. */
const timeoutMs = 60_000;
/** Passages per query. */
const slice = 500;

/** The scope of counts of a collection, by its owner, in a generation of counts. */
export function sharedScope(counting: number, owner = ''): string {
  return `shared-${counting}${suffixOf(owner)}`;
}

/** The scope of counts of an edition of the handbook. */
export function handbookScope(edition: string): string {
  return `handbook-${edition}`;
}

function suffixOf(owner: string): string {
  const id = collectionOf(owner);
  return id === null ? '' : `:${id}`;
}

type CountModels = Pick<KnowledgeModels, 'termCounts' | 'findable'>;

/**
 * Document frequencies of terms in shared passages, by collection, as askers may read different collections.
 * Counts are incremental, with a row for each running change. A killed process leaves its row behind; the
 * next sweep then counts all passages into a new generation, which replaces the old one atomically.
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
    const changed = [...changes].filter(([, by]) => by !== 0);
    // A long document changes tens of thousands of counts.
    for (const some of inSlices(changed, slice * 2)) {
      const writes = some.map(([key, by]) => ({
        updateOne: {
          filter: { _id: (sharedScope(counting) + key) as never },
          update: { $inc: { passages: by } },
          upsert: true,
        },
      }));
      await writeAll(termCounts.collection, writes);
    }
  }

  async function clear(counting: number): Promise<void> {
    const scope = sharedScope(counting);
    for (const [from, to] of [' !', ':;'])
      await termCounts.deleteMany({ _id: { $gte: scope + from, $lt: scope + to } });
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
      await addTo(counting, countsOf(rows.filter(({ edition }) => edition === '')));
    }
  }

  return {
    /** To be called before passages of a document change. If `end` does not follow, `sweep` counts again. */
    async begin(documentId: string): Promise<void> {
      await noteChange();
      await termCounts.updateOne(
        { _id: changePrefix + documentId },
        { $set: { until: until() }, $inc: { passages: 1 } },
        { upsert: true },
      );
    },
    /** Adds what `countsOf` has counted, and a heartbeat. */
    async add(documentId: string, changes: ReadonlyMap<string, number>): Promise<void> {
      const now = await termCounts.findById(countingId).lean();
      await addTo(now?.passages ?? 0, changes);
      await termCounts.updateOne({ _id: changePrefix + documentId }, { $set: { until: until() } });
    },
    async end(documentId: string): Promise<void> {
      await noteChange();
      // With more than one, another change died or is running, and their counts cannot be told apart.
      await termCounts.deleteOne({ _id: changePrefix + documentId, passages: 1 });
    },
    /** Whether changes are running or have died. */
    isDue: async (): Promise<boolean> =>
      (await termCounts.exists({ _id: { $gte: changePrefix, $lt: '!!' } })) !== null,
    /** Counts all passages again if a change died and none is running. For one process at a time. */
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

/**
 * Counts the shared ones of these passages by term; the empty term counts all of them. Keys are ids of counts
 * without the scope of the first collection. Negative with `sign` -1.
 */
export function countsOf(
  passages: readonly Pick<FindablePassage, 'owner' | 'terms'>[],
  sign: 1 | -1 = 1,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { owner, terms } of passages) {
    if (!isShared(owner)) continue;
    const suffix = suffixOf(owner);
    for (const term of ['', ...terms.map((marked) => marked.slice(1))]) {
      const key = termCountId(suffix, term);
      counts.set(key, (counts.get(key) ?? 0) + sign);
    }
  }
  return counts;
}
