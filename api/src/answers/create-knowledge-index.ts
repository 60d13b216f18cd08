import { inSlices } from '../store/in-slices.ts';
import { putAll } from '../store/write-all.ts';
import { createYielder } from '../store/yield-to-event-loop.ts';
import type { FindablePassage } from './findable.ts';
import type { IndexedDocument, KnowledgeIndex } from './knowledge-index.ts';
import type { KnowledgeModels } from './knowledge-models.ts';
import { type PassagePair, passagesOf } from './passages-of.ts';
import { countsOf, createSharedCounts } from './shared-counts.ts';

/** Passages written at once: more would keep other calls waiting while they are made ready to be sent. */
const slice = 96;
/** Terms whose counts are gathered before they are written: the more passages one writing stands for, the fewer writings. */
const mostGathered = 50_000;
/** Whoever is under way for long shows that it lives, in ms. */
const showsItself = 15_000;

type Counted = Pick<FindablePassage, '_id' | 'terms'>;

/**
 * Indexes uploaded documents, shared and private. Ids of passages are told by the document's id and what they hold, so that a call that was cut off
 * can be repeated: what is there already is written again, what is left over goes last.
 *
 * @param options.marksNew new passages are marked, so that their vectors are computed.
 */
export function createKnowledgeIndex(
  models: KnowledgeModels,
  { marksNew = false }: { marksNew?: boolean } = {},
): KnowledgeIndex {
  const counts = createSharedCounts(models);

  /** Gathers what changes in the counts of shared passages. */
  function gather(documentId: string) {
    let changes = new Map<string, number>();
    let since = performance.now();
    const flush = async () => {
      if (changes.size === 0) return;
      const gathered = changes;
      changes = new Map();
      since = performance.now();
      await counts.add(documentId, gathered);
    };
    return {
      flush,
      async add(passages: readonly Counted[], sign: 1 | -1): Promise<void> {
        const terms = passages.map((passage) => passage.terms);
        for (const [term, by] of countsOf(terms, sign)) changes.set(term, (changes.get(term) ?? 0) + by);
        if (changes.size > mostGathered || performance.now() - since > showsItself) await flush();
      },
    };
  }

  type Gathering = ReturnType<typeof gather>;

  async function write(gathering: Gathering | null, pairs: readonly PassagePair[]): Promise<void> {
    const findable = pairs.map((pair) => pair.findable);
    const ids = findable.map(({ _id }) => _id);
    const before = (await models.findable
      .find({ _id: { $in: ids } }, { terms: 1 })
      .batchSize(slice)
      .lean()) as Counted[];
    const known = new Set(before.map(({ _id }) => _id));
    await putAll(
      models.passages.collection,
      pairs.map(({ passage }) => passage),
      known,
    );
    const marked = findable.map((one) =>
      marksNew && !known.has(one._id) ? { ...one, vectorDue: true } : one,
    );
    await putAll(models.findable.collection, marked, known);
    if (!gathering) return;
    await gathering.add(before, -1);
    await gathering.add(findable, 1);
  }

  /** Removes passages of a document, all but `kept`. */
  async function clear(
    documentId: string,
    gathering: Gathering,
    kept: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let after = ''; ; ) {
      signal?.throwIfAborted();
      const rows: Pick<FindablePassage, '_id' | 'owner' | 'terms'>[] = await models.findable
        .find({ documentId, _id: { $gt: after } }, { owner: 1, terms: 1 })
        .sort({ _id: 1 })
        .limit(slice)
        .lean();
      if (rows.length === 0) break;
      after = rows.at(-1)!._id;
      const gone = rows.filter(({ _id }) => !kept.has(_id));
      if (gone.length === 0) continue;
      await models.findable.deleteMany({ _id: { $in: gone.map(({ _id }) => _id) } });
      await gathering.add(
        gone.filter(({ owner }) => owner === ''),
        -1,
      );
    }
    await gathering.flush();
    if (kept.size === 0) {
      await models.passages.deleteMany({ documentId });
      return;
    }
    const stale: string[] = [];
    const ids = models.passages.find({ documentId }, { _id: 1 }).lean().cursor();
    for await (const { _id } of ids) if (!kept.has(_id)) stale.push(_id);
    for (const some of inSlices(stale, slice)) await models.passages.deleteMany({ _id: { $in: some } });
  }

  return {
    async put(document, { signal, onProgress } = {}) {
      signal?.throwIfAborted();
      const isShared = document.owner === '';
      if (isShared) await counts.begin(document._id);
      const gathering = gather(document._id);
      const yieldToEventLoop = createYielder();
      const kept = new Set<string>();
      let waiting: PassagePair[] = [];
      const flush = async () => {
        if (waiting.length === 0) return;
        await write(isShared ? gathering : null, waiting);
        await onProgress?.(waiting.at(-1)!.passage.end, document.text.length);
        waiting = [];
      };
      try {
        for (const pair of passagesOf(cuttable(document))) {
          kept.add(pair.passage._id);
          waiting.push(pair);
          if (waiting.length >= slice) await flush();
          await yieldToEventLoop();
          signal?.throwIfAborted();
        }
        await flush();
        await clear(document._id, gathering, kept, signal);
      } catch (cause) {
        // Aborted between slices, where what is written is gathered; after any other failure the next sweep counts anew.
        if (isShared && signal?.aborted && cause === signal.reason) {
          await gathering.flush();
          await counts.end(document._id);
        }
        throw cause;
      }
      if (isShared) await counts.end(document._id);
      return kept.size;
    },
    async remove(documentId) {
      const one = await models.findable.findOne({ documentId }, { owner: 1 }).lean();
      const isShared = one?.owner === '';
      if (isShared) await counts.begin(documentId);
      await clear(documentId, gather(documentId), new Set());
      if (isShared) await counts.end(documentId);
    },
    async sweep(signal) {
      await counts.sweep(signal);
    },
  };
}

function cuttable(document: IndexedDocument) {
  return { ...document, name: document._id, edition: '', asks: new Map<number, string[]>() };
}
