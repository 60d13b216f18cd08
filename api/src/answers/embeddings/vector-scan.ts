import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { readPlain } from '../../store/read-plain.ts';
import { collectionOwners } from '../index/document.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { scaleBytes } from './pack-vector.ts';
import { stateId } from './passage-vectors.ts';
import type { FromScanner, ToScanner } from './vector-scan-worker.ts';

/** Numbers of vectors and bytes above which no vectors are loaded, to limit time and memory. */
export interface ScanLimits {
  rows: number;
  bytes: number;
}

const defaultLimits: ScanLimits = { rows: 600_000, bytes: 128 * 2 ** 20 };
const pageSize = 1000;
/** Time in ms after which vectors that did not fit are read again, as some may have been removed. */
const retryFullMs = 600_000;

/** Search over the vectors of all shared passages, by collection, in a worker thread. */
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
  /** Value of `performance.now` until which vectors that did not fit are not read again. */
  let fullUntil = 0;
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
      fullUntil = 0;
    }
    if (state.version === version || state.dimensions === 0 || performance.now() < fullUntil) return;
    // Vectors of removed passages stay in the table until it is loaded again.
    const { rows, bytes } = limits;
    const max = Math.min(rows, Math.floor(bytes / (state.dimensions + scaleBytes)));
    if (sent > Math.min(max, 2 * (await findable.estimatedDocumentCount()) + pageSize)) forget();
    worker ??= start();
    const isWhole = version < 0;
    isReady = await readAll(worker, version, state.dimensions, max);
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

  async function readAll(to: Worker, from: number, dimensions: number, max: number): Promise<boolean> {
    for await (const owner of owners()) if (!(await readFrom(to, owner, from, dimensions, max))) return false;
    return true;
  }

  /** Sends an owner's vectors, from a batch on. false if all tables would have more than `max` rows. */
  async function readFrom(
    to: Worker,
    owner: string,
    from: number,
    dimensions: number,
    max: number,
  ): Promise<boolean> {
    // Starts with the last batch, part of which may have been written after it was read.
    let after: { vectorSeq: number; read: Set<string> } = { vectorSeq: from, read: new Set() };
    for (;;) {
      const rows = await readPlain(
        findable,
        { owner, vectorDue: false, vectorOf: key, vectorSeq: { $gte: after.vectorSeq } },
        { projection: { vector: 1, vectorSeq: 1 }, sort: { vectorSeq: 1 }, limit: pageSize },
      );
      const fresh = rows.filter(({ _id }) => !after.read.has(_id));
      if (isStopped || sent + fresh.length > max) return isStopped;
      const message: ToScanner = {
        kind: 'put',
        dimensions,
        owner,
        ids: fresh.map(({ _id }) => _id),
        vectors: fresh.map(({ vector }) => Uint8Array.from(vector!)),
      };
      to.postMessage(
        message,
        message.vectors.map(({ buffer }) => buffer as ArrayBuffer),
      );
      sent += fresh.length;
      if (rows.length < pageSize) return true;
      const vectorSeq = rows.at(-1)!.vectorSeq!;
      after = {
        vectorSeq,
        read: new Set(rows.filter((row) => row.vectorSeq === vectorSeq).map(({ _id }) => _id)),
      };
    }
  }

  async function ask(message: (id: number) => ToScanner): Promise<Map<string, number> | null> {
    if (!worker || !isReady) return null;
    lastScan += 1;
    const { promise, resolve } = Promise.withResolvers<FromScanner | null>();
    waiting.set(lastScan, resolve);
    worker.postMessage(message(lastScan));
    const answer = await promise;
    if (!answer) return null;
    const cosines = answer.ids.map((id, at) => [id, answer.cosines[at]!] as const);
    return new Map(cosines.filter(([, cosine]) => !Number.isNaN(cosine)));
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
     * Cosines (−1 to 1) of the nearest passages of these owners, by id. Some may have been removed. null if
     * there are too many, or they are not loaded yet.
     */
    nearest: (vector: Float32Array, owners: readonly string[], most: number) =>
      ask((id) => ({ kind: 'scan', id, vector, owners, most })),
    /** Cosines of these passages, without those that are not loaded. */
    rate: (vector: Float32Array, ids: readonly string[]) => ask((id) => ({ kind: 'rate', id, vector, ids })),
    async stop(): Promise<void> {
      isStopped = true;
      await syncing?.catch(() => undefined);
      forget();
    },
  };
}
