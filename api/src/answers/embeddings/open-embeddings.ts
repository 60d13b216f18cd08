import type { Logger } from 'pino';
import type { ConfiguredEmbeddings } from '../../config/configured-embeddings.ts';
import type { EmbeddingStatus } from '../../contract/models.ts';
import { repeat } from '../../store/repeat.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { createEmbeddingEndpoint, type EmbeddingEndpoint } from './embedding-endpoint.ts';
import { cosineOf } from './pack-vector.ts';
import { createPassageVectors } from './passage-vectors.ts';
import { createQuestionVectors } from './question-vectors.ts';
import { createVectorScan, type ScanLimits } from './vector-scan.ts';

/** Interval of loading computed vectors while more of them are computed, in ms. */
const loadEveryMs = 3000;

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
  /**
   * Ids of the nearest passages that are shared or the owner's, nearest first; null if the question has no vector, or there are too many
   * passages. The caller checks the owner, as the vectors in memory may be outdated.
   */
  nearest(owner: string, most: number): Promise<readonly string[] | null>;
}

export interface OpenEmbeddings extends Embeddings {
  /** Loads the vectors that were computed since the last call. To be called when other processes have computed some. */
  sync(): Promise<void>;
  /** Whether vectors are missing. */
  isDue(): Promise<boolean>;
  /** Computes all missing vectors. To be called by one process at a time. */
  finish(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
  status(): Promise<EmbeddingStatus>;
  progress(): Promise<{ done: number; total: number }>;
}

export function openEmbeddings(deps: {
  config: ConfiguredEmbeddings;
  /** Default: the one of the configuration. */
  endpoint?: EmbeddingEndpoint;
  models: KnowledgeModels;
  log: Logger;
  scanLimits?: ScanLimits | undefined;
}): OpenEmbeddings {
  const { config, endpoint = createEmbeddingEndpoint(config), models, log, scanLimits } = deps;
  const { findable } = models;
  const passageVectors = createPassageVectors({ models, endpoint, config, log });
  const scan = createVectorScan({ models, log, limits: scanLimits });
  const questions = createQuestionVectors({
    endpoint,
    prefix: config.queryPrefix,
    deadlineMs: config.timeoutMs,
    log,
  });
  /** Of passages too many to be loaded. */
  async function rateInStore(vector: Float32Array, ids: readonly string[]): Promise<Map<string, number>> {
    const filter = { _id: { $in: [...ids] }, vectorOf: scan.key() };
    const rows = (await findable.collection
      .find(filter as never, {
        projection: { vector: 1 },
        promoteBuffers: true,
        batchSize: ids.length + 1,
      })
      .toArray()) as unknown as { _id: string; vector?: Buffer }[];
    const cosines = rows.map(({ _id, vector: packed }) => [_id, packed && cosineOf(vector, packed)] as const);
    return new Map(cosines.filter((one): one is [string, number] => typeof one[1] === 'number'));
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
            const cosines = (await scan.rate(vector, ids)) ?? (await rateInStore(vector, ids));
            return cosines.size === 0 ? null : cosines;
          }),
        nearest: (owner, most) =>
          orNull(async () => {
            const vector = await asked;
            return vector && (await scan.nearest(vector, owner, most));
          }),
      };
    },

    sync: () => scan.sync(),

    isDue: () => passageVectors.isDue(),

    async finish(signal = new AbortController().signal) {
      if (await passageVectors.isDue()) {
        const loading = repeat(loadEveryMs, log, () => scan.sync());
        await passageVectors.run(signal).finally(() => loading.stop());
      }
      await scan.sync();
    },

    stop: () => scan.stop(),

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
