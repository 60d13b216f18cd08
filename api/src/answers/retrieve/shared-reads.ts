import { LRUCache } from 'lru-cache';
import { maxTimeMS } from '../../store/query-limit.ts';
import { readPlain } from '../../store/read-plain.ts';
import { isShared } from '../index/document.ts';
import type { Candidate } from '../index/findable.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { countingId, handbookScope, sharedScope } from '../index/shared-counts.ts';
import { type TermCount, termCountId } from '../index/term-count.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';

type SharedReads = ReturnType<typeof createSharedReads>;

interface LookUp {
  owners: readonly string[];
  keys: readonly string[];
  limit: number;
}

export interface SharedTermCounts {
  /** Document frequency of a term; of the empty term the number of passages. */
  countOf(term: string): number;
  /** Number of passages without those of the handbook. */
  own: number;
}

/** Limits of the caches. */
const maxCounts = 40_000;
const maxCandidateBytes = 24 * 2 ** 20;
const maxPassageBytes = 8 * 2 ** 20;
const maxIdBytes = 4 * 2 ** 20;
/** Approximate sizes of a row without its weights or text, and of an id, in bytes. */
const rowBytes = 400;
const idBytes = 50;

const instances = new WeakMap<KnowledgeModels, SharedReads>();

/** The caches of these models, shared by all questions. */
export function sharedReadsOf(models: KnowledgeModels): SharedReads {
  const reads = instances.get(models) ?? createSharedReads(models);
  instances.set(models, reads);
  return reads;
}

/**
 * Reads of shared knowledge, cached until it changes. `owners` are those of the collections that the asker
 * may read, always with ''.
 *
 * Every question reads the row whose version is incremented whenever a change of a shared document begins or
 * ends, in any process, and the number of passages of the handbook. If either has changed, all caches are
 * cleared, so that no entry is older than the last change.
 */
function createSharedReads({ termCounts, findable, passages }: KnowledgeModels) {
  const counts = new Map<string, number>();
  const candidates = new LRUCache<string, Candidate>({
    maxSize: maxCandidateBytes,
    sizeCalculation: ({ weights }) => weights.length + rowBytes,
  });
  const texts = new LRUCache<string, KnowledgePassage>({
    maxSize: maxPassageBytes,
    sizeCalculation: ({ text, place }) => 2 * (text.length + place.length) + rowBytes,
  });
  const found = new LRUCache<string, readonly string[], LookUp>({
    maxSize: maxIdBytes,
    sizeCalculation: (ids) => (ids.length + 1) * idBytes,
    fetchMethod: (_name, _old, { context }) => readIds(context),
    // A look-up that was running when the cache was cleared still returns its result.
    ignoreFetchAbort: true,
  });
  let version = '';
  /** Number of passages of each edition of the handbook that was searched. */
  const handbooks = new Map<string, number>();
  /** How often the caches were cleared. */
  let revision = 0;
  let currentGeneration = 0;

  async function readIds({ owners, keys, limit }: LookUp): Promise<string[]> {
    const anyOf = (some: readonly string[]) => (some.length === 1 ? some[0] : { $in: some });
    const filter = { owner: anyOf(owners), terms: anyOf(keys) };
    const options = { projection: { _id: 1 }, limit, batchSize: limit, maxTimeMS };
    const rows = await readPlain(findable, filter, options);
    return rows.map(({ _id }) => _id);
  }

  async function read(ids: readonly string[]): Promise<Map<string, TermCount>> {
    const rows = await readPlain(termCounts, { _id: { $in: ids } }, { batchSize: ids.length + 1 });
    return new Map(rows.map((row) => [row._id, row]));
  }

  function clearIfChanged(rows: ReadonlyMap<string, TermCount>, edition: string): void {
    const current = rows.get(countingId);
    const all = rows.get(termCountId(handbookScope(edition), ''));
    const now = [current?.passages, current?.version].join(' ');
    const handbook = all?.passages ?? 0;
    if (now === version && handbooks.get(edition) === handbook) return;
    version = now;
    handbooks.set(edition, handbook);
    revision += 1;
    currentGeneration = current?.passages ?? 0;
    counts.clear();
    candidates.clear();
    texts.clear();
    found.clear();
  }

  /**
   * Returns a function that reads the rows that are not cached with one query, and caches the shared ones
   * unless something changed meanwhile. It returns the rows of `owners`, unordered. Rows that a concurrent
   * call is reading are not read again.
   */
  function readThrough<T extends { _id: string; owner: string }>(
    cache: LRUCache<string, T>,
    readRows: (missing: string[]) => Promise<T[]>,
  ) {
    const reading = new Map<string, Promise<T[]>>();
    return async (ids: readonly string[], owners: readonly string[]): Promise<T[]> => {
      const before = revision;
      const nameOf = (id: string) => `${before} ${id}`;
      const rows: T[] = [];
      const missing: string[] = [];
      const others = new Set<Promise<T[]>>();
      for (const id of ids) {
        const row = cache.get(id);
        const other = row ? undefined : reading.get(nameOf(id));
        if (row) rows.push(row);
        else if (other) others.add(other);
        else missing.push(id);
      }
      if (missing.length > 0) {
        const own = readRows(missing).finally(() => {
          for (const id of missing) reading.delete(nameOf(id));
        });
        for (const id of missing) reading.set(nameOf(id), own);
        others.add(own);
      }
      const isAsked = others.size > 0 ? new Set(ids) : null;
      for (const row of (await Promise.all(others)).flat()) {
        if (!isShared(row.owner) || !isAsked?.has(row._id)) continue;
        rows.push(row);
        if (revision === before) cache.set(row._id, row);
      }
      return rows.filter(({ owner }) => owners.includes(owner));
    };
  }

  return {
    /** Document frequencies in an edition of the handbook and the collections of these owners. */
    async countTerms(
      edition: string,
      terms: readonly string[],
      owners: readonly string[],
    ): Promise<SharedTermCounts> {
      for (let tries = 1; ; tries += 1) {
        const before = revision;
        const generation = currentGeneration;
        const scopes = [handbookScope(edition), ...owners.map((owner) => sharedScope(generation, owner))];
        const ids = scopes.flatMap((scope) => terms.map((term) => termCountId(scope, term)));
        const totals = scopes.map((scope) => termCountId(scope, ''));
        // Taken before the query, as another question may clear the cache meanwhile. Then all counts are
        // read.
        const held = new Map<string, number>();
        for (const id of tries === 1 ? ids : []) if (counts.has(id)) held.set(id, counts.get(id)!);
        const wanted = new Set([...totals, ...ids.filter((id) => !held.has(id))]);
        const rows = await read([countingId, ...wanted]);
        clearIfChanged(rows, edition);
        if (tries === 1 ? revision !== before : currentGeneration !== generation) continue;
        if (counts.size > maxCounts) counts.clear();
        for (const id of wanted) {
          const passages = Math.max(0, rows.get(id)?.passages ?? 0);
          held.set(id, passages);
          if (revision === before) counts.set(id, passages);
        }
        const countOf = (term: string) =>
          scopes.reduce((sum, scope) => sum + (held.get(termCountId(scope, term)) ?? 0), 0);
        const own = totals.slice(1).reduce((sum, id) => sum + held.get(id)!, 0);
        return { countOf, own };
      }
    },

    /**
     * Ids of passages of these owners with any of these keys, at most `limit`, in the store's order.
     * Concurrent look-ups of the same keys are one query: a question alone and in its context share most of
     * them.
     */
    findIds(owners: readonly string[], keys: readonly string[], limit: number): Promise<readonly string[]> {
      const name = [revision, limit, ...owners, '', ...keys].join('\n');
      return found.forceFetch(name, { context: { owners, keys, limit } });
    },

    /** The ranking fields of passages, without removed ones. */
    readCandidates: readThrough(candidates, async (missing) => {
      const options = { projection: candidateFields, batchSize: missing.length + 1 };
      const rows = await readPlain(findable, { _id: { $in: missing } }, options);
      // Weights are copied, as a slice would keep the whole reply in memory.
      return rows.map((row) => ({ ...row, weights: Buffer.from(row.weights) }));
    }),

    readPassages: readThrough(texts, (missing) =>
      readPlain(passages, { _id: { $in: missing } }, { batchSize: missing.length + 1 }),
    ),
  };
}

export const candidateFields = {
  owner: 1,
  documentId: 1,
  edition: 1,
  language: 1,
  length: 1,
  weights: 1,
} as const;
