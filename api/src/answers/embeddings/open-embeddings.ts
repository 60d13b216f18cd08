import type { Logger } from 'pino';
import type { ConfiguredEmbeddings } from '../../config/configured-endpoint.ts';
import type { EmbeddingStatus } from '../../contract/models.ts';
import { maxTimeMS } from '../../store/query-limit.ts';
import { readPlain } from '../../store/read-plain.ts';
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
/** Number of an owner's newest private passages that a question without files is compared with. */
const maxOwn = 1000;

export type OpenEmbeddings = ReturnType<typeof openEmbeddings>;
/** A question whose vector is being computed. Its functions never throw, and share one deadline. */
export type QuestionMeaning = ReturnType<OpenEmbeddings['ask']>;

/** Retrieval by embeddings. */
export function openEmbeddings(deps: {
  config: ConfiguredEmbeddings;
  /** Default: the configured one. */
  endpoint?: EmbeddingEndpoint;
  models: KnowledgeModels;
  log: Logger;
  scanLimits?: ScanLimits | undefined;
}) {
  const { config, endpoint = createEmbeddingEndpoint(config), models, log, scanLimits } = deps;
  const { findable } = models;
  const passageVectors = createPassageVectors({ models, endpoint, config, log });
  const scan = createVectorScan({ models, limits: scanLimits });
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
    const options = { projection: { vector: 1 }, sort, limit, batchSize: limit + 1, maxTimeMS };
    const rows = await readPlain(findable, { ...filter, vectorOf: scan.key() }, options);
    return rows.flatMap(({ _id, vector: packed }): [string, number][] => {
      const cosine = packed ? cosineOf(vector, packed) : null;
      return cosine === null ? [] : [[_id, cosine]];
    });
  }

  /** null if `work` fails, which is only logged: retrieval by words reports failures of the store. */
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
        /** Whether vectors come from an endpoint's model; else they are word vectors. */
        isOfModel: config.baseUrl !== '',
        /**
         * Cosines (−1 to 1) of these passages, without those that have no vector; null if the question has
         * none. The caller checks who may read the passages.
         */
        rerank: (ids: readonly string[]): Promise<ReadonlyMap<string, number> | null> =>
          orNull(async () => {
            const vector = await asked;
            if (!vector || ids.length === 0) return null;
            const loaded = ids.filter((id) => !known.has(id));
            for (const [id, cosine] of scan.rate(vector, loaded) ?? []) known.set(id, cosine);
            const stored = ids.filter((id) => !known.has(id));
            if (stored.length > 0)
              for (const [id, cosine] of await rateInStore(vector, { _id: { $in: stored } }, stored.length))
                known.set(id, cosine);
            const cosines = ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : []));
            return cosines.length === 0 ? null : new Map(cosines);
          }),
        /**
         * Ids of the nearest passages of these collections (`owners`) and of the owner's private ones,
         * nearest first; null if the question has no vector, or there are too many passages. The caller
         * checks the owners of the passages, as the vectors in memory may be outdated.
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
              owner === '' ? [] : rateInStore(vector, { owner, vectorDue: false }, maxOwn, { vectorSeq: -1 }),
            ]);
            if (!shared) return null;
            const all = [...shared, ...own].sort(([, one], [, other]) => other - one).slice(0, most);
            for (const [id, cosine] of all) known.set(id, cosine);
            return all.map(([id]) => id);
          }),
      };
    },

    /** Loads the vectors that this and other processes have computed since the last call. */
    sync: scan.sync,

    /** Whether vectors are missing. */
    isDue: passageVectors.isDue,

    /** Computes all missing vectors. To be called by one process at a time. */
    async finish(signal: AbortSignal = new AbortController().signal): Promise<void> {
      if (await passageVectors.isDue()) {
        const loading = repeat(loadEveryMs, log, scan.sync);
        await passageVectors.run(signal).finally(() => loading.stop());
      }
      await scan.sync();
    },

    stop: scan.stop,
    progress: passageVectors.progress,

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

/** Increment if `api/word-vectors` or `wordsOf` changes, so that all vectors are computed again. */
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
