import type { Logger } from 'pino';
import type { ConfiguredEmbeddings } from '../../config/configured-embeddings.ts';
import type { EmbeddingStatus } from '../../contract/models.ts';
import { maxTimeMS } from '../../store/query-limit.ts';
import { repeat } from '../../store/repeat.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { createEmbeddingEndpoint, type EmbeddingEndpoint } from './embedding-endpoint.ts';
import { cosineOf } from './pack-vector.ts';
import { createPassageVectors } from './passage-vectors.ts';
import { createQuestionVectors } from './question-vectors.ts';
import { createVectorScan, type ScanLimits } from './vector-scan.ts';
import { wordVectors } from './word-vectors.ts';

/** Interval of loading computed vectors while more of them are computed, in ms. */
const loadEveryMs = 3000;
/** Private passages of an owner that are compared with a question that does not concern a file. */
const maxOwn = 1000;

export type OpenEmbeddings = ReturnType<typeof openEmbeddings>;
/** A question whose vector is being computed. The functions never throw, and share one deadline for the endpoint. */
export type QuestionMeaning = ReturnType<OpenEmbeddings['ask']>;

/** Retrieval by embeddings. */
export function openEmbeddings(deps: {
  config: ConfiguredEmbeddings;
  /** Default: the one of the configuration. */
  endpoint?: EmbeddingEndpoint;
  models: KnowledgeModels;
  log: Logger;
  scanLimits?: ScanLimits | undefined;
}) {
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
  /** Cosines of passages whose vectors are not loaded: private ones, and too many shared ones. */
  async function rateInStore(
    vector: Float32Array,
    filter: object,
    limit: number,
    sort: Record<string, -1> = {},
  ): Promise<[string, number][]> {
    const rows = (await findable.collection
      .find({ ...filter, vectorOf: scan.key() } as never, {
        projection: { vector: 1 },
        promoteBuffers: true,
        sort,
        limit,
        batchSize: limit + 1,
        maxTimeMS,
      })
      .toArray()) as unknown as { _id: string; vector?: Buffer }[];
    const cosines = rows.map(({ _id, vector: packed }) => [_id, packed && cosineOf(vector, packed)] as const);
    return cosines.filter((one): one is [string, number] => typeof one[1] === 'number');
  }

  /** The nearest of the owner's newest private passages. */
  async function rateOwn(vector: Float32Array, owner: string): Promise<[string, number][]> {
    return owner === '' ? [] : rateInStore(vector, { owner, vectorDue: false }, maxOwn, { vectorSeq: -1 });
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
    /** Starts to embed a question. */
    ask(question: string) {
      const asked = questions.vectorOf(question);
      /** Cosines by passage, so that each is computed once. */
      const known = new Map<string, number>();
      return {
        /** Whether the vectors are those of an endpoint's model, not of words. */
        isOfModel: config.baseUrl !== '',
        /**
         * Cosines (−1 to 1) of these passages, without those that have no vector; null if the question has none. The caller checks who may read the
         * passages.
         */
        rerank: (ids: readonly string[]): Promise<ReadonlyMap<string, number> | null> =>
          orNull(async () => {
            const vector = await asked;
            if (!vector || ids.length === 0) return null;
            const loaded = ids.filter((id) => !known.has(id));
            for (const [id, cosine] of (await scan.rate(vector, loaded)) ?? []) known.set(id, cosine);
            const stored = ids.filter((id) => !known.has(id));
            if (stored.length > 0)
              for (const [id, cosine] of await rateInStore(vector, { _id: { $in: stored } }, stored.length))
                known.set(id, cosine);
            const cosines = ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : []));
            return cosines.length === 0 ? null : new Map(cosines);
          }),
        /**
         * Ids of the nearest passages of the knowledge of `owners`, see `isShared`, and of the owner's own, nearest first; null if the question has no vector,
         * or there are too many passages. The caller checks who owns them, as the vectors in memory may be outdated.
         */
        nearest: (
          owner: string,
          owners: readonly string[],
          most: number,
        ): Promise<readonly string[] | null> =>
          orNull(async () => {
            const vector = await asked;
            if (!vector) return null;
            const [shared, own] = await Promise.all([
              scan.nearest(vector, owners, most),
              rateOwn(vector, owner),
            ]);
            if (!shared) return null;
            const all = [...shared, ...own].sort(([, one], [, other]) => other - one).slice(0, most);
            for (const [id, cosine] of all) known.set(id, cosine);
            return all.map(([id]) => id);
          }),
      };
    },

    /** Loads the vectors that were computed since the last call. To be called when other processes have computed some. */
    sync: (): Promise<void> => scan.sync(),

    /** Whether vectors are missing. */
    isDue: (): Promise<boolean> => passageVectors.isDue(),

    /** Computes all missing vectors. To be called by one process at a time. */
    async finish(signal: AbortSignal = new AbortController().signal): Promise<void> {
      if (await passageVectors.isDue()) {
        const loading = repeat(loadEveryMs, log, () => scan.sync());
        await passageVectors.run(signal).finally(() => loading.stop());
      }
      await scan.sync();
    },

    stop: (): Promise<void> => scan.stop(),

    progress: () => passageVectors.progress(),

    async status(): Promise<EmbeddingStatus> {
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

/** Increment if `api/word-vectors` or the splitting into words changes, so that all vectors are computed again. */
const version = 1;

/** Embeddings by word vectors, for a desk without EMBEDDINGS_BASE_URL. */
export function builtInEmbeddings(): { config: ConfiguredEmbeddings; endpoint: EmbeddingEndpoint } {
  const { vectorOf } = wordVectors();
  return {
    config: {
      baseUrl: '',
      model: `word vectors ${version}`,
      apiKey: '',
      queryPrefix: '',
      passagePrefix: '',
      timeoutMs: 10_000,
    },
    endpoint: { embed: async (texts) => texts.map(vectorOf) },
  };
}
