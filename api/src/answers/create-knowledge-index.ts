import type { FindablePassage } from '../models/findable.ts';
import type { KnowledgeModels } from '../models/knowledge-models.ts';
import { createBreather } from '../services/breathe.ts';
import { inSlices } from '../services/in-slices.ts';
import type { IndexedDocument, KnowledgeIndex } from './knowledge-index.ts';
import { type PassagePair, passagesOf } from './passages-of.ts';
import { countsOf, createSharedCounts } from './shared-counts.ts';
import { replaceAll } from './write-all.ts';

/** Passages written at once. */
const slice = 64;

/**
 * Indexes uploaded documents, shared and private. Ids of passages are told by the document's id and what they hold, so that a call that was cut off
 * can be repeated: what is there already is written again, what is left over goes last.
 */
export function createKnowledgeIndex(models: KnowledgeModels): KnowledgeIndex {
  const counts = createSharedCounts(models);

  async function write(documentId: string, isShared: boolean, pairs: readonly PassagePair[]): Promise<void> {
    const ids = pairs.map(({ findable }) => findable._id);
    const before = isShared ? await models.findable.find({ _id: { $in: ids } }, { terms: 1 }).lean() : [];
    await replaceAll(
      models.passages.collection,
      pairs.map(({ passage }) => passage),
    );
    await replaceAll(
      models.findable.collection,
      pairs.map(({ findable }) => findable),
    );
    if (!isShared) return;
    const changes = countsOf(pairs.map(({ findable }) => findable.terms));
    for (const [term, by] of countsOf(
      before.map(({ terms }) => terms),
      -1,
    ))
      changes.set(term, (changes.get(term) ?? 0) + by);
    await counts.add(documentId, changes);
  }

  /** Removes passages of a document, all but `kept`. */
  async function clear(documentId: string, kept: ReadonlySet<string>, signal?: AbortSignal): Promise<void> {
    for (let after = ''; ; ) {
      signal?.throwIfAborted();
      const rows: Pick<FindablePassage, '_id' | 'owner' | 'terms'>[] = await models.findable
        .find({ documentId, _id: { $gt: after } }, { owner: 1, terms: 1 })
        .sort({ _id: 1 })
        .limit(slice * 4)
        .lean();
      if (rows.length === 0) break;
      after = rows.at(-1)!._id;
      const gone = rows.filter(({ _id }) => !kept.has(_id));
      if (gone.length === 0) continue;
      await models.findable.deleteMany({ _id: { $in: gone.map(({ _id }) => _id) } });
      const shared = gone.filter(({ owner }) => owner === '');
      if (shared.length > 0)
        await counts.add(
          documentId,
          countsOf(
            shared.map(({ terms }) => terms),
            -1,
          ),
        );
    }
    if (kept.size === 0) {
      await models.passages.deleteMany({ documentId });
      return;
    }
    const stale: string[] = [];
    const ids = models.passages.find({ documentId }, { _id: 1 }).lean().cursor();
    for await (const { _id } of ids) if (!kept.has(_id)) stale.push(_id);
    for (const some of inSlices(stale, slice * 4)) await models.passages.deleteMany({ _id: { $in: some } });
  }

  return {
    async put(document, { signal, onProgress } = {}) {
      signal?.throwIfAborted();
      const isShared = document.owner === '';
      if (isShared) await counts.begin(document._id);
      const breathe = createBreather();
      const kept = new Set<string>();
      let waiting: PassagePair[] = [];
      const flush = async () => {
        if (waiting.length === 0) return;
        await write(document._id, isShared, waiting);
        await onProgress?.(waiting.at(-1)!.passage.end, document.text.length);
        waiting = [];
      };
      try {
        for (const pair of passagesOf(cuttable(document))) {
          kept.add(pair.passage._id);
          waiting.push(pair);
          if (waiting.length >= slice) await flush();
          await breathe();
          signal?.throwIfAborted();
        }
        await flush();
        await clear(document._id, kept, signal);
      } catch (cause) {
        // Aborted between slices, where what is written is counted; after any other failure the next sweep counts anew.
        if (isShared && signal?.aborted && cause === signal.reason) await counts.end(document._id);
        throw cause;
      }
      if (isShared) await counts.end(document._id);
      return kept.size;
    },
    async remove(documentId) {
      const one = await models.findable.findOne({ documentId }, { owner: 1 }).lean();
      const isShared = one?.owner === '';
      if (isShared) await counts.begin(documentId);
      await clear(documentId, new Set());
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
