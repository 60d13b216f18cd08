import { readPlain } from '../../store/read-plain.ts';
import { collectionOwners } from '../index/document.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { scaleBytes } from './pack-vector.ts';
import { stateId } from './passage-vectors.ts';
import { createVectorMemory } from './vector-products.ts';
import { createVectorTable, numbersOf } from './vector-table.ts';

/** Numbers of vectors and bytes above which no vectors are loaded, to limit time and memory. */
export interface ScanLimits {
  rows: number;
  bytes: number;
}

const defaultLimits: ScanLimits = { rows: 600_000, bytes: 128 * 2 ** 20 };
const pageSize = 1000;
/** Time in ms after which vectors that did not fit are read again, as some may have been removed. */
const retryFullMs = 600_000;

/** Search over the vectors of all shared passages, by collection. */
export function createVectorScan(deps: {
  models: Pick<KnowledgeModels, 'findable' | 'embeddingStates'>;
  limits?: ScanLimits | undefined;
}) {
  const { models, limits = defaultLimits } = deps;
  const { findable, embeddingStates } = models;
  let tables = createTables();
  let key = '';
  let version = -1;
  /** Number of rows read, including repetitions. */
  let count = 0;
  let isReady = false;
  /** Value of `performance.now` until which vectors that did not fit are not read again. */
  let fullUntil = 0;
  let syncing: Promise<void> | null = null;
  let isStopped = false;

  function forget(): void {
    tables = createTables();
    isReady = false;
    version = -1;
    count = 0;
  }

  async function load(): Promise<void> {
    const state = await embeddingStates.findById(stateId).lean();
    if (!state || isStopped) return;
    if (state.key !== key) {
      forget();
      key = state.key;
      fullUntil = 0;
    }
    if (state.version === version || state.dimensions === 0 || performance.now() < fullUntil) return;
    // Vectors of removed passages stay in the table until it is loaded again.
    const { rows, bytes } = limits;
    const max = Math.min(rows, Math.floor(bytes / (state.dimensions + scaleBytes)));
    if (count > Math.min(max, 2 * (await findable.estimatedDocumentCount()) + pageSize)) forget();
    const isWhole = version < 0;
    isReady = await readAll(version, state.dimensions, max);
    if (isReady) version = state.version;
    else forget();
    // If new vectors did not fit, all are read again, as the table may contain removed passages.
    if (!isReady && isWhole) fullUntil = performance.now() + retryFullMs;
  }

  /** The owners of all collections, by one query for each. */
  async function* owners() {
    yield '';
    for (let range: object = collectionOwners; ; ) {
      const next = await findable.findOne({ owner: range }, { owner: 1 }).sort({ owner: 1 }).lean();
      if (!next) return;
      yield next.owner;
      range = { $gt: next.owner, $lt: collectionOwners.$lt };
    }
  }

  async function readAll(from: number, dimensions: number, max: number): Promise<boolean> {
    for await (const owner of owners()) if (!(await readFrom(owner, from, dimensions, max))) return false;
    return true;
  }

  /** Reads an owner's vectors, from a batch on. false if all tables would have more than `max` rows. */
  async function readFrom(owner: string, from: number, dimensions: number, max: number): Promise<boolean> {
    // Starts with the last batch, part of which may have been written after it was read.
    let after: { vectorSeq: number; read: Set<string> } = { vectorSeq: from, read: new Set() };
    for (;;) {
      const rows = await readPlain(
        findable,
        { owner, vectorDue: false, vectorOf: key, vectorSeq: { $gte: after.vectorSeq } },
        { projection: { vector: 1, vectorSeq: 1 }, sort: { vectorSeq: 1 }, limit: pageSize },
      );
      const fresh = rows.filter(({ _id }) => !after.read.has(_id));
      if (isStopped || count + fresh.length > max) return isStopped;
      for (const { _id, vector } of fresh) tables.put(owner, dimensions, _id, vector!);
      count += fresh.length;
      if (rows.length < pageSize) return true;
      const vectorSeq = rows.at(-1)!.vectorSeq!;
      after = {
        vectorSeq,
        read: new Set(rows.filter((row) => row.vectorSeq === vectorSeq).map(({ _id }) => _id)),
      };
    }
  }

  return {
    /** The `FindablePassage.vectorOf` of the loaded vectors; '' if unknown. */
    key: (): string => key,
    /** Loads the vectors written since the last call. */
    sync(): Promise<void> {
      syncing ??= load().finally(() => {
        syncing = null;
      });
      return syncing;
    },
    /**
     * Cosines (−1 to 1) of the nearest passages of these owners, by id, nearest first. Some may have been
     * removed. null if there are too many, or they are not loaded yet.
     */
    nearest: (vector: Float32Array, owners: readonly string[], most: number) =>
      isReady ? tables.nearest(vector, owners, most) : null,
    /** Cosines of these passages, without those that are not loaded. */
    rate: (vector: Float32Array, ids: readonly string[]) => (isReady ? tables.rate(vector, ids) : null),
    async stop(): Promise<void> {
      isStopped = true;
      await syncing?.catch(() => undefined);
      forget();
    },
  };
}

/** Tables by owner, so that passages that the asker may not read are not compared. */
function createTables() {
  const memory = createVectorMemory();
  const tables = new Map<string, ReturnType<typeof createVectorTable>>();
  const rate = (vector: Float32Array, ids: Iterable<string>): Map<string, number> => {
    const asked = numbersOf(vector);
    const cosines = new Map<string, number>();
    for (const id of ids)
      for (const table of tables.values()) {
        const cosine = table.cosine(asked, id);
        if (Number.isNaN(cosine)) continue;
        cosines.set(id, cosine);
        break;
      }
    return cosines;
  };
  return {
    put(owner: string, dimensions: number, id: string, packed: Uint8Array): void {
      let table = tables.get(owner);
      if (table?.dimensions !== dimensions) {
        table = createVectorTable(dimensions, memory);
        tables.set(owner, table);
      }
      table.put(id, packed);
    },
    rate,
    nearest(vector: Float32Array, owners: readonly string[], most: number): Map<string, number> {
      const asked = numbersOf(vector);
      const found = new Set(owners.flatMap((owner) => tables.get(owner)?.nearest(asked, most) ?? []));
      const rated = [...rate(vector, found)].sort(([, one], [, other]) => other - one);
      return new Map(rated.slice(0, most));
    },
  };
}
