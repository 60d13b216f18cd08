import { LRUCache } from 'lru-cache';
import { maxTimeMS } from '../store/query-limit.ts';
import type { Candidate } from './findable.ts';
import { handbookScope } from './index-handbook.ts';
import type { KnowledgeModels } from './knowledge-models.ts';
import type { KnowledgePassage } from './passage.ts';
import { countingId, sharedScope } from './shared-counts.ts';
import { type TermCount, termCountId } from './term-count.ts';

/** What was read of shared knowledge, kept for as long as nothing of it changes. */
export interface SharedReads {
  /** In how many shared passages these terms stand; the empty term is how many passages there are. */
  countTerms(edition: string, terms: readonly string[]): Promise<SharedTermCounts>;
  /** Ids of shared passages that have any of these keys, the first so many in the order of the store. */
  findIds(keys: readonly string[], limit: number): Promise<readonly string[]>;
  /** What ranking needs of shared passages, in no order; those that are gone are left out. */
  readCandidates(ids: readonly string[]): Promise<Candidate[]>;
  /** The words of shared passages, in no order. */
  readPassages(ids: readonly string[]): Promise<KnowledgePassage[]>;
}

export interface SharedTermCounts {
  scopes: string[];
  countOf(term: string): number;
}

const mostCounts = 40_000;
const mostCandidateBytes = 24 * 2 ** 20;
const mostPassageBytes = 16 * 2 ** 20;
const mostIdBytes = 8 * 2 ** 20;
/** What a row takes besides its weights or text, about. */
const rowBytes = 400;
const idBytes = 50;

const known = new WeakMap<KnowledgeModels, SharedReads>();

/** One for these models: what one question reads the next need not read again. */
export function sharedReadsOf(models: KnowledgeModels): SharedReads {
  const reads = known.get(models) ?? createSharedReads(models);
  known.set(models, reads);
  return reads;
}

/**
 * Every question reads the row that all changes of shared documents mark when they begin and end, in any process, and the number of passages:
 * where either has changed, all that was kept is forgotten. So nothing old is kept longer than the change that made it old.
 */
function createSharedReads({ termCounts, findable, passages }: KnowledgeModels): SharedReads {
  const counts = new Map<string, number>();
  const candidates = new LRUCache<string, Candidate>({
    maxSize: mostCandidateBytes,
    sizeCalculation: ({ weights }) => weights.length + rowBytes,
  });
  const texts = new LRUCache<string, KnowledgePassage>({
    maxSize: mostPassageBytes,
    sizeCalculation: ({ text, place }) => 2 * (text.length + place.length) + rowBytes,
  });
  const found = new LRUCache<string, readonly string[]>({
    maxSize: mostIdBytes,
    sizeCalculation: (ids) => (ids.length + 1) * idBytes,
  });
  let revision = '';
  let counting = 0;

  async function read(ids: readonly string[]): Promise<Map<string, TermCount>> {
    const rows = (await termCounts.collection
      .find({ _id: { $in: [...ids] } } as never, { batchSize: ids.length + 1 })
      .toArray()) as unknown as TermCount[];
    return new Map(rows.map((row) => [row._id, row]));
  }

  function forgetIfChanged(rows: ReadonlyMap<string, TermCount>, edition: string): void {
    const force = rows.get(countingId);
    const all = rows.get(termCountId(handbookScope(edition), ''));
    const now = [edition, all?.passages, force?.passages, force?.version].join(' ');
    if (now === revision) return;
    revision = now;
    counting = force?.passages ?? 0;
    counts.clear();
    candidates.clear();
    texts.clear();
    found.clear();
  }

  /** What is kept as it is, the rest read at once, and kept where it is shared and nothing changed meanwhile. */
  async function readThrough<T extends { _id: string; owner: string }>(
    ids: readonly string[],
    kept: LRUCache<string, T>,
    readRows: (missing: string[]) => Promise<T[]>,
  ): Promise<T[]> {
    const before = revision;
    const rows: T[] = [];
    const missing: string[] = [];
    for (const id of ids) {
      const row = kept.get(id);
      if (row) rows.push(row);
      else missing.push(id);
    }
    if (missing.length === 0) return rows;
    for (const row of await readRows(missing)) {
      if (row.owner !== '') continue;
      rows.push(row);
      if (revision === before) kept.set(row._id, row);
    }
    return rows;
  }

  return {
    async countTerms(edition, terms) {
      for (let tries = 1; ; tries += 1) {
        const before = revision;
        const inForce = counting;
        const scopes = [handbookScope(edition), sharedScope(counting)];
        const ids = scopes.flatMap((scope) => terms.map((term) => termCountId(scope, term)));
        const totals = scopes.map((scope) => termCountId(scope, ''));
        // Taken now: another question may forget them while this one reads. Where that happened, all are read.
        const held = new Map<string, number>();
        for (const id of tries === 1 ? ids : []) if (counts.has(id)) held.set(id, counts.get(id)!);
        const wanted = new Set([...totals, ...ids.filter((id) => !held.has(id))]);
        const rows = await read([countingId, ...wanted]);
        forgetIfChanged(rows, edition);
        if (tries === 1 ? revision !== before : counting !== inForce) continue;
        if (counts.size > mostCounts) counts.clear();
        for (const id of wanted) {
          const passages = Math.max(0, rows.get(id)?.passages ?? 0);
          held.set(id, passages);
          if (revision === before) counts.set(id, passages);
        }
        const countOf = (term: string) =>
          scopes.reduce((sum, scope) => sum + (held.get(termCountId(scope, term)) ?? 0), 0);
        return { scopes, countOf };
      }
    },

    async findIds(keys, limit) {
      const name = `${limit} ${keys.join('\n')}`;
      const known = found.get(name);
      if (known) return known;
      const before = revision;
      const filter = { owner: '', terms: keys.length === 1 ? keys[0] : { $in: keys } };
      const options = { projection: { _id: 1 }, limit, batchSize: limit, maxTimeMS } as const;
      const rows = (await findable.collection.find(filter as never, options).toArray()) as unknown as {
        _id: string;
      }[];
      const ids = rows.map(({ _id }) => _id);
      if (revision === before) found.set(name, ids);
      return ids;
    },

    readCandidates: (ids) =>
      readThrough(
        ids,
        candidates,
        // The driver's own: nothing is cast, and weights come as plain bytes.
        (missing) =>
          findable.collection
            .find({ _id: { $in: missing } } as never, {
              projection: candidateFields,
              promoteBuffers: true,
              batchSize: missing.length + 1,
            })
            .toArray() as unknown as Promise<Candidate[]>,
      ),

    readPassages: (ids) =>
      readThrough(
        ids,
        texts,
        (missing) =>
          passages.collection
            .find({ _id: { $in: missing } } as never, { batchSize: missing.length + 1 })
            .toArray() as unknown as Promise<KnowledgePassage[]>,
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
