import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { ConfiguredEmbeddings } from '../../config/configured-embeddings.ts';
import type { EmbeddingStatus } from '../../contract/models.ts';
import { createThisProcess } from '../../store/process-lease.ts';
import type { KnowledgeScope } from '../find-candidates.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { createEmbeddingEndpoint, type EmbeddingEndpoint } from './embedding-endpoint.ts';
import { cosineOf } from './pack-vector.ts';
import { createPassageVectors } from './passage-vectors.ts';
import { createQuestionVectors } from './question-vectors.ts';
import { createVectorScan } from './vector-scan.ts';

/** Retrieval by embeddings. */
export interface Embeddings {
  /** Starts to embed a question. The returned functions never throw, and share one deadline for the endpoint. */
  ask(question: string): QuestionMeaning;
}

export interface QuestionMeaning {
  /** Whether the vectors are those of an endpoint's model, not of words. */
  isOfModel: boolean;
  /**
   * Cosines (−1 to 1) of these passages, without those that have no vector; null if the question has none. The caller checks who may read the
   * passages.
   */
  rerank(passageIds: readonly string[]): Promise<ReadonlyMap<string, number> | null>;
  /** Ids of the nearest passages within the scope, nearest first; null if the question has no vector, or there are too many passages. */
  nearest(scope: KnowledgeScope, most: number): Promise<string[] | null>;
}

export interface OpenEmbeddings extends Embeddings {
  /** Starts to compute missing vectors, and loads those of other processes. To be called periodically. */
  begin(): Promise<void>;
  /** The same, and waits until all vectors are computed. */
  finish(): Promise<void>;
  stop(): Promise<void>;
  status(): Promise<EmbeddingStatus>;
  progress(): Promise<{ done: number; total: number }>;
}

const maxVectorBytes = 4 * 2 ** 20;

export function openEmbeddings(deps: {
  config: ConfiguredEmbeddings;
  /** Default: the one of the configuration. */
  endpoint?: EmbeddingEndpoint;
  models: KnowledgeModels;
  log: Logger;
}): OpenEmbeddings {
  const { config, endpoint = createEmbeddingEndpoint(config), models, log } = deps;
  const { findable } = models;
  const self = createThisProcess();
  const passageVectors = createPassageVectors({ models, endpoint, config, self, log });
  const scan = createVectorScan({ models, log });
  const questions = createQuestionVectors({
    endpoint,
    prefix: config.queryPrefix,
    deadlineMs: config.timeoutMs,
    log,
  });
  /** Ids are derived from the text, so that a vector with the same key is never outdated. */
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: maxVectorBytes,
    sizeCalculation: (vector) => vector.length + 100,
  });

  async function vectorsOf(ids: readonly string[]): Promise<Map<string, Uint8Array>> {
    const key = scan.key();
    const found = new Map<string, Uint8Array>();
    const missing: string[] = [];
    for (const id of ids) {
      const cached = cache.get(`${key} ${id}`);
      if (cached) found.set(id, cached);
      else missing.push(id);
    }
    if (missing.length === 0 || key === '') return found;
    const rows = (await findable.collection
      .find({ _id: { $in: missing } } as never, {
        projection: { vector: 1, vectorOf: 1 },
        promoteBuffers: true,
        batchSize: missing.length + 1,
      })
      .toArray()) as unknown as { _id: string; vector?: Buffer; vectorOf?: string }[];
    for (const { _id, vector, vectorOf } of rows) {
      if (!vector || vectorOf !== key) continue;
      found.set(_id, vector);
      cache.set(`${key} ${_id}`, vector);
    }
    return found;
  }

  /** Checked in the store, as the table in memory may be outdated. */
  async function allowed(ids: readonly string[], scope: KnowledgeScope): Promise<string[]> {
    const rows = await findable
      .find({ _id: { $in: [...ids] }, owner: { $in: ['', scope.owner] } }, { documentId: 1, edition: 1 })
      .lean();
    const fitting = new Set(
      rows
        .filter(({ documentId }) => documentId !== scope.withoutDocument)
        .filter(({ documentId }) => !scope.documentIds || scope.documentIds.includes(documentId))
        .filter(({ edition }) => edition === '' || edition === scope.edition)
        .map(({ _id }) => _id),
    );
    return ids.filter((id) => fitting.has(id));
  }

  /** A failing store is no error here: retrieval by words reports it. */
  async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (err) {
      log.warn({ err }, 'a question is answered without its embedding');
      return null;
    }
  }

  return {
    ask(question) {
      const asked = questions.vectorOf(question);
      return {
        isOfModel: config.baseUrl !== '',
        rerank: (ids) =>
          orNull(async () => {
            const vector = await asked;
            if (!vector || ids.length === 0) return null;
            const vectors = await vectorsOf(ids);
            const cosines = new Map<string, number>();
            for (const [id, packed] of vectors) {
              const cosine = cosineOf(vector, packed);
              if (cosine !== null) cosines.set(id, cosine);
            }
            return cosines.size === 0 ? null : cosines;
          }),
        nearest: (scope, most) =>
          orNull(async () => {
            const vector = await asked;
            const ids = vector && (await scan.nearest(vector, scope.owner, most));
            return ids && (await allowed(ids, scope));
          }),
      };
    },

    async begin() {
      void passageVectors
        .run()
        .then(() => scan.sync())
        .catch((err) => log.warn({ err }, 'passages are embedded later'));
      await scan.sync();
    },

    async finish() {
      await passageVectors.run();
      await scan.sync();
    },

    async stop() {
      await passageVectors.stop();
      await scan.stop();
      self.end();
    },

    progress: () => passageVectors.progress(),

    async status() {
      return {
        model: config.model,
        baseUrl: config.baseUrl,
        hasKey: config.apiKey !== '',
        isAvailable: questions.isAvailable,
        ...(await passageVectors.progress()),
        questions: questions.health.report(),
        passages: passageVectors.health.report(),
      };
    },
  };
}
