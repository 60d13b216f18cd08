import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { scaleBytes } from './pack-vector.ts';
import { stateId } from './passage-vectors.ts';
import type { FromScanner, ToScanner } from './vector-scan-worker.ts';

/** Limits for time and memory, above which vectors are not loaded. */
export interface ScanLimits {
  rows: number;
  bytes: number;
}

const defaultLimits: ScanLimits = { rows: 50_000, bytes: 80 * 2 ** 20 };
const pageSize = 1000;

/** Exact search over the vectors of all passages, in a worker thread. */
export function createVectorScan(deps: {
  models: Pick<KnowledgeModels, 'findable' | 'embeddingStates'>;
  log: Pick<Logger, 'warn'>;
  limits?: ScanLimits | undefined;
}) {
  const { models, log, limits = defaultLimits } = deps;
  const { findable, embeddingStates } = models;
  const waiting = new Map<number, (answer: FromScanner | null) => void>();
  let worker: Worker | null = null;
  let lastScan = 0;
  let key = '';
  let version = -1;
  /** Number of rows sent, including repetitions. */
  let sent = 0;
  let isReady = false;
  let syncing: Promise<void> | null = null;
  let isStopped = false;

  function start(): Worker {
    const started = new Worker(new URL('./vector-scan-worker.ts', import.meta.url));
    started.unref();
    started.on('message', (answer: FromScanner) => {
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    });
    started.on('error', (err) => log.warn({ err }, 'the search over vectors failed'));
    started.on('exit', () => {
      if (worker === started) forget();
    });
    return started;
  }

  function forget(): void {
    const old = worker;
    worker = null;
    isReady = false;
    version = -1;
    sent = 0;
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
    void old?.terminate();
  }

  async function load(): Promise<void> {
    const state = await embeddingStates.findById(stateId).lean();
    if (!state || isStopped) return;
    if (state.key !== key) {
      forget();
      key = state.key;
    }
    if (state.version === version || state.dimensions === 0) return;
    const rows = await findable.countDocuments({});
    if (rows > limits.rows || rows * (state.dimensions + scaleBytes) > limits.bytes) {
      forget();
      // Not counted again until vectors are added.
      version = state.version;
      return;
    }
    // Vectors of removed passages stay in the table until it is loaded again.
    if (sent > 2 * rows + pageSize) forget();
    worker ??= start();
    await readFrom(worker, version, state.dimensions);
    version = state.version;
    isReady = true;
  }

  async function readFrom(to: Worker, from: number, dimensions: number): Promise<void> {
    // Including the last batch: some of it may have been written after it was read.
    let after: { vectorSeq: number; read: Set<string> } = { vectorSeq: from, read: new Set() };
    for (;;) {
      const page = await findable.collection
        .find({ vectorDue: false, vectorOf: key, vectorSeq: { $gte: after.vectorSeq } } as never, {
          projection: { owner: 1, vector: 1, vectorSeq: 1 },
          sort: { vectorSeq: 1 },
          limit: pageSize,
          promoteBuffers: true,
        })
        .toArray();
      const rows = page as unknown as { _id: string; owner: string; vector: Buffer; vectorSeq: number }[];
      const fresh = rows.filter(({ _id }) => !after.read.has(_id));
      if (isStopped) return;
      const message: ToScanner = {
        kind: 'put',
        dimensions,
        ids: fresh.map(({ _id }) => _id),
        owners: fresh.map(({ owner }) => owner),
        vectors: fresh.map(({ vector }) => Uint8Array.from(vector)),
      };
      to.postMessage(
        message,
        message.vectors.map(({ buffer }) => buffer as ArrayBuffer),
      );
      sent += fresh.length;
      if (rows.length < pageSize) return;
      const { vectorSeq } = rows.at(-1)!;
      after = {
        vectorSeq,
        read: new Set(rows.filter((row) => row.vectorSeq === vectorSeq).map(({ _id }) => _id)),
      };
    }
  }

  async function ask(message: (id: number) => ToScanner): Promise<FromScanner | null> {
    if (!worker || !isReady) return null;
    lastScan += 1;
    const { promise, resolve } = Promise.withResolvers<FromScanner | null>();
    waiting.set(lastScan, resolve);
    worker.postMessage(message(lastScan));
    return promise;
  }

  return {
    /** `FindablePassage.vectorOf` of comparable vectors; '' if unknown. */
    key: (): string => key,
    /** Loads the vectors written since the last call. */
    sync(): Promise<void> {
      syncing ??= load().finally(() => {
        syncing = null;
      });
      return syncing;
    },
    /**
     * Ids of the nearest passages, nearest first; some may have been removed or changed their owner. null if there are too many passages, or they are not
     * loaded yet.
     */
    async nearest(vector: Float32Array, owner: string, most: number): Promise<readonly string[] | null> {
      return (await ask((id) => ({ kind: 'scan', id, vector, owner, most })))?.ids ?? null;
    },
    /** Cosines (−1 to 1) of these passages, without those that have no vector; null if the vectors are not loaded. */
    async rate(vector: Float32Array, ids: readonly string[]): Promise<Map<string, number> | null> {
      const answer = await ask((id) => ({ kind: 'rate', id, vector, ids }));
      if (!answer) return null;
      const cosines = ids.map((id, at) => [id, answer.cosines[at]!] as const);
      return new Map(cosines.filter(([, cosine]) => !Number.isNaN(cosine)));
    },
    async stop(): Promise<void> {
      isStopped = true;
      await syncing?.catch(() => undefined);
      forget();
    },
  };
}
