import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ConfiguredEmbeddings } from '../../config/configured-endpoint.ts';
import { inSlices } from '../../store/in-slices.ts';
import { failureOf } from '../endpoints/endpoint-failure.ts';
import { createModelHealth } from '../endpoints/model-health.ts';
import { fullPlace, type KnowledgePassage } from '../index/passage.ts';
import { idOf } from '../index/passages-of.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import type { EmbeddingEndpoint } from './embedding-endpoint.ts';
import type { EmbeddingState } from './embedding-state.ts';
import { packVector } from './pack-vector.ts';

/** Increment if `textOf` changes. */
const textVersion = 1;

/** Passages per query, and at most per request to the endpoint. */
const windowSize = 200;
const maxBatch = 64;

/** Target duration of a request in ms. Longer ones would delay questions at the endpoint. */
const targetMs = 600;
const batchTimeoutMs = 120_000;
/** Length up to which a rejected text is not shortened further, in UTF-16 units. */
const minTextLength = 100;

/** Pauses before retries: the first one, and the maximum. */
const defaultWaits = { firstMs: 1000, maxMs: 300_000 };
/** Maximum pause after a change of dimensions, in `maxMs`: an hour by default. */
const maxPauses = 12;

/** Id of the only `EmbeddingState`. */
export const stateId = 'passages';

/** Computes the vectors of passages, in one process at a time. Continues where the last run stopped. */
export function createPassageVectors(deps: {
  models: Pick<KnowledgeModels, 'findable' | 'passages' | 'embeddingStates'>;
  endpoint: EmbeddingEndpoint;
  config: Pick<ConfiguredEmbeddings, 'model' | 'passagePrefix'>;
  log: Pick<Logger, 'warn' | 'info'>;
  waits?: typeof defaultWaits;
}) {
  const { models, endpoint, config, log, waits = defaultWaits } = deps;
  const { findable, passages, embeddingStates } = models;
  const signature = JSON.stringify([config.model, config.passagePrefix, textVersion]);
  const health = createModelHealth();
  let batch = 8;
  /** Number of changes of the dimensions in this run. */
  let changes = 0;

  async function work(signal: AbortSignal): Promise<void> {
    await embeddingStates.updateOne({ _id: stateId }, { $setOnInsert: { after: '' } }, { upsert: true });
    let state = (await embeddingStates.findById(stateId).lean())!;

    async function change(set: Partial<EmbeddingState>, steps = 0): Promise<void> {
      signal.throwIfAborted();
      const update = { $set: set, $inc: { version: steps } };
      const next = await embeddingStates
        .findOneAndUpdate({ _id: stateId }, update, { returnDocument: 'after' })
        .lean();
      state = next ?? state;
    }

    async function startOver(dimensions: number): Promise<void> {
      const total = await findable.estimatedDocumentCount();
      const key = idOf('vectors', signature, String(dimensions));
      await change({ signature, dimensions, key, after: '', done: 0, total });
    }

    /** Ids of the next passages to embed, and the state to store afterwards; null if none is left. */
    async function nextIds(): Promise<{ ids: string[]; seen: Partial<EmbeddingState> | null } | null> {
      if (state.after !== null) {
        const rows = await findable
          .find({ _id: { $gt: state.after } }, { vectorOf: 1 })
          .sort({ _id: 1 })
          .limit(windowSize)
          .lean();
        const last = rows.at(-1)?._id ?? null;
        const ids = rows.filter(({ vectorOf }) => vectorOf !== state.key).map(({ _id }) => _id);
        return { ids, seen: { after: last, done: state.done + rows.length } };
      }
      const due = await findable.find({ vectorDue: true }, { _id: 1 }).limit(windowSize).lean();
      return due.length === 0 ? null : { ids: due.map(({ _id }) => _id), seen: null };
    }

    async function compute(ids: readonly string[]): Promise<void> {
      const { key } = state;
      for (let from = 0; from < ids.length; ) {
        const some = ids.slice(from, from + batch);
        const rows = await passages.find({ _id: { $in: some } }).lean();
        const began = performance.now();
        const vectors = await embedAll(rows.map(textOf), signal);
        batch = nextBatch(batch, performance.now() - began);
        const dimensions = vectors.find((one) => one !== null)?.length ?? state.dimensions;
        // The endpoint now has another model of this name. Its vectors are not comparable with earlier ones.
        const isOther = state.dimensions !== 0 && dimensions !== state.dimensions;
        if (dimensions !== state.dimensions) await startOver(dimensions);
        const isWalking = state.after !== null && state.key === key;
        await change(isWalking ? { done: state.done + some.length } : {}, 1);
        await write(rows, vectors, some);
        if (isOther) await pauseAfterChange(dimensions);
        if (state.key !== key) return;
        from += some.length;
      }
    }

    /** Waits longer after each change: several models of one name would cause endless requests. */
    async function pauseAfterChange(dimensions: number): Promise<void> {
      const ms = Math.min(waits.firstMs * 2 ** changes, maxPauses * waits.maxMs);
      changes += 1;
      health.failed('malformed');
      log.warn(
        { dimensions, changes, waitMs: ms },
        'the embeddings endpoint returned vectors of other dimensions: all passages are embedded again',
      );
      await delay(ms, undefined, { signal });
    }

    async function write(
      rows: readonly KnowledgePassage[],
      vectors: readonly (Float32Array | null)[],
      ids: readonly string[],
    ): Promise<void> {
      const byId = new Map(rows.map(({ _id }, at) => [_id, vectors[at]]));
      const writes = ids.map((_id) => {
        const vector = byId.get(_id);
        const $set = {
          vectorOf: state.key,
          vectorDue: false,
          ...(vector ? { vector: packVector(vector), vectorSeq: state.version } : {}),
        };
        return { updateOne: { filter: { _id: _id as never }, update: { $set } } };
      });
      await findable.collection.bulkWrite(writes as never, { ordered: false });
    }

    if (state.signature !== signature) await startOver(0);
    const before = state.version;
    for (;;) {
      signal.throwIfAborted();
      const next = await nextIds();
      if (!next) break;
      const { key } = state;
      await compute(next.ids);
      if (next.seen && state.key === key) await change(next.seen);
    }
    changes = 0;
    // Makes other processes load the last batch again, which they may have read while it was written.
    if (state.version !== before) await change({}, 1);
  }

  /**
   * Vectors of texts; null for a text that is rejected even if shortened. Retries with exponential backoff.
   */
  async function embedAll(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | null)[]> {
    if (texts.length === 0) return [];
    for (let wait = waits.firstMs; ; wait = Math.min(wait * 2, waits.maxMs)) {
      try {
        const vectors = await endpoint.embed(
          texts.map((text) => config.passagePrefix + text),
          batchTimeoutMs,
          signal,
        );
        health.answered();
        return vectors;
      } catch (cause) {
        signal.throwIfAborted();
        const failure = failureOf(cause);
        if (failure.isQuestions) return await embedApart(texts, signal);
        const ms = Math.min(Math.max(wait, failure.retryAfterMs ?? 0), waits.maxMs);
        health.failed(failure.kind, failure.status);
        log.warn(
          { kind: failure.kind, status: failure.status, waitMs: ms, err: failure },
          'passages are embedded later',
        );
        await delay(ms, undefined, { signal });
      }
    }
  }

  /** Embeds rejected texts in two halves, and a single one shortened to half. */
  async function embedApart(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | null)[]> {
    const [text = ''] = texts;
    if (texts.length === 1) {
      if (text.length <= minTextLength) return [null];
      return embedAll([text.slice(0, text.length / 2).replace(/[\ud800-\udbff]$/, '')], signal);
    }
    const vectors: (Float32Array | null)[] = [];
    for (const half of inSlices(texts, Math.ceil(texts.length / 2)))
      vectors.push(...(await embedAll(half, signal)));
    return vectors;
  }

  return {
    health,
    /** Computes all missing vectors. To be called by one process at a time. */
    run: work,
    /** Whether vectors are missing. */
    async isDue(): Promise<boolean> {
      const state = await embeddingStates.findById(stateId, { signature: 1, after: 1 }).lean();
      if (state?.signature !== signature || state.after !== null) return true;
      return (await findable.exists({ vectorDue: true })) !== null;
    },
    async progress(): Promise<{ done: number; total: number }> {
      const [state, due] = await Promise.all([
        embeddingStates.findById(stateId).lean(),
        findable.countDocuments({ vectorDue: true }),
      ]);
      if (!state || state.signature !== signature)
        return { done: 0, total: await findable.estimatedDocumentCount() };
      const { after, done, total } = state;
      const all = Math.max(done, total) + (after === null ? due : 0);
      return { done: after === null ? all - due : done, total: all };
    },
  };
}

/** The size of the next request, by the duration of the last one. */
function nextBatch(size: number, tookMs: number): number {
  if (tookMs > 2 * targetMs) return Math.max(1, Math.floor(size / 2));
  return tookMs < targetMs / 2 ? Math.min(maxBatch, size * 2) : size;
}

/** The text to embed of a passage: its title, headings and text. */
export function textOf(passage: KnowledgePassage): string {
  return [fullPlace(passage), passage.tableHead, passage.text].filter(Boolean).join('\n');
}

/** Makes the next run check all passages. */
export async function checkAllPassages({
  embeddingStates,
}: Pick<KnowledgeModels, 'embeddingStates'>): Promise<void> {
  await embeddingStates.updateOne({ _id: stateId }, { $set: { after: '', done: 0 } });
}
