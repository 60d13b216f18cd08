import { inSlices } from '../../store/in-slices.ts';
import { putAll } from '../../store/write-all.ts';
import { createYielder } from '../../store/yield-to-event-loop.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { isShared } from './document.ts';
import type { FindablePassage } from './findable.ts';
import { type CuttableDocument, type PassagePair, passagesOf } from './passages-of.ts';
import { countsOf, createSharedCounts } from './shared-counts.ts';

/** Passages per write: preparing more would block the event loop for too long. */
const slice = 96;
/** Maximum number of terms whose counts are buffered before they are written. */
const maxBuffered = 50_000;
/** Heartbeat interval of long-running changes, in ms. */
const heartbeatMs = 15_000;

export interface PutOptions {
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void | Promise<void>;
}

export type KnowledgeIndex = ReturnType<typeof createKnowledgeIndex>;

type Counted = Pick<FindablePassage, '_id' | 'owner' | 'terms'>;

/**
 * The index of passages of uploads, shared and private. An interrupted call can be repeated by any process:
 * ids of passages are derived from the document's id and their content, so that existing passages are
 * overwritten. Obsolete passages are removed at the end.
 */
export function createKnowledgeIndex(models: KnowledgeModels) {
  const counts = createSharedCounts(models);

  /** Buffers changes of the counts of shared passages. */
  function createBuffer(documentId: string) {
    let changes = new Map<string, number>();
    let since = performance.now();
    const flush = async () => {
      if (changes.size === 0) return;
      const buffered = changes;
      changes = new Map();
      since = performance.now();
      await counts.add(documentId, buffered);
    };
    return {
      flush,
      async add(passages: readonly Counted[], sign: 1 | -1): Promise<void> {
        for (const [key, by] of countsOf(passages, sign)) changes.set(key, (changes.get(key) ?? 0) + by);
        if (changes.size > maxBuffered || performance.now() - since > heartbeatMs) await flush();
      },
    };
  }

  type CountBuffer = ReturnType<typeof createBuffer>;

  async function write(buffer: CountBuffer | null, pairs: readonly PassagePair[]): Promise<void> {
    const findable = pairs.map((pair) => pair.findable);
    const ids = findable.map(({ _id }) => _id);
    const before = (await models.findable
      .find({ _id: { $in: ids } }, { owner: 1, terms: 1 })
      .batchSize(slice)
      .lean()) as Counted[];
    const known = new Set(before.map(({ _id }) => _id));
    await putAll(
      models.passages.collection,
      pairs.map(({ passage }) => passage),
      known,
    );
    const marked = findable.map((one) => (!known.has(one._id) ? { ...one, vectorDue: true } : one));
    await putAll(models.findable.collection, marked, known);
    if (!buffer) return;
    await buffer.add(before, -1);
    await buffer.add(findable, 1);
  }

  /** Removes the passages of a document except `current`. */
  async function clear(
    documentId: string,
    buffer: CountBuffer,
    current: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let after = ''; ; ) {
      signal?.throwIfAborted();
      const rows: Counted[] = await models.findable
        .find({ documentId, _id: { $gt: after } }, { owner: 1, terms: 1 })
        .sort({ _id: 1 })
        .limit(slice)
        .lean();
      if (rows.length === 0) break;
      after = rows.at(-1)!._id;
      const gone = rows.filter(({ _id }) => !current.has(_id));
      if (gone.length === 0) continue;
      await models.findable.deleteMany({ _id: { $in: gone.map(({ _id }) => _id) } });
      await buffer.add(gone, -1);
    }
    await buffer.flush();
    if (current.size === 0) {
      await models.passages.deleteMany({ documentId });
      return;
    }
    const stale: string[] = [];
    const ids = models.passages.find({ documentId }, { _id: 1 }).lean().cursor();
    for await (const { _id } of ids) if (!current.has(_id)) stale.push(_id);
    for (const some of inSlices(stale, slice)) await models.passages.deleteMany({ _id: { $in: some } });
  }

  /** Removes all passages of a document. */
  async function remove(documentId: string): Promise<void> {
    const one = await models.findable.findOne({ documentId }, { owner: 1 }).lean();
    const isCounted = one !== null && isShared(one.owner);
    if (isCounted) await counts.begin(documentId);
    await clear(documentId, createBuffer(documentId), new Set());
    if (isCounted) await counts.end(documentId);
  }

  return {
    /**
     * Cuts the document into passages, indexes them, and removes those of an earlier text. Unchanged passages
     * have the same id as before, so that citations remain valid. Yields to the event loop between slices.
     *
     * @returns number of passages.
     */
    async put(document: CuttableDocument, { signal, onProgress }: PutOptions = {}): Promise<number> {
      signal?.throwIfAborted();
      const isCounted = isShared(document.owner);
      const before = await models.findable.findOne({ documentId: document._id }, { owner: 1 }).lean();
      // Only shared passages are counted.
      if (before && before.owner !== document.owner) await remove(document._id);
      if (isCounted) await counts.begin(document._id);
      const buffer = createBuffer(document._id);
      const yieldToEventLoop = createYielder();
      const current = new Set<string>();
      let pending: PassagePair[] = [];
      const flush = async () => {
        if (pending.length === 0) return;
        await write(isCounted ? buffer : null, pending);
        await onProgress?.(pending.at(-1)!.passage.end, document.text.length);
        pending = [];
      };
      try {
        for (const pair of passagesOf(document)) {
          current.add(pair.passage._id);
          pending.push(pair);
          if (pending.length >= slice) await flush();
          await yieldToEventLoop();
          signal?.throwIfAborted();
        }
        await flush();
        await clear(document._id, buffer, current, signal);
      } catch (cause) {
        // An abort happens between slices, when the counts include all written passages. After any other
        // failure the next sweep counts again.
        if (isCounted && signal?.aborted && cause === signal.reason) {
          await buffer.flush();
          await counts.end(document._id);
        }
        throw cause;
      }
      if (isCounted) await counts.end(document._id);
      return current.size;
    },
    remove,
    /** Repairs the counts after a process was killed. Returns true if it must be called again later. */
    async sweep(signal?: AbortSignal): Promise<boolean> {
      await counts.sweep(signal);
      return counts.isDue();
    },
  };
}
