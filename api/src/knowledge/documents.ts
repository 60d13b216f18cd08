import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import { z } from 'zod';
import { draftOwner, type KnowledgeDocument } from '../answers/document.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { toPassage } from '../answers/read-passage.ts';
import type {
  KnowledgeDocumentInfo,
  KnowledgeDocumentPage,
  KnowledgePassagePage,
} from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import type { Blobs } from '../files/blobs.ts';
import type { UploadedFile } from '../http/uploaded.ts';
import { cutPage, decodeCursor, encodeCursor, type PageRequest } from '../store/cursor.ts';
import { databaseDate } from '../store/database-clock.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import { isDuplicateKey } from '../store/store-failure.ts';
import { cutTitle, type ShownDocument, shownFields, toDocumentInfo } from './document-info.ts';
import type { Indexing } from './indexing.ts';
import { everyOf, type PhasedList, readPhases, searched, startingWith } from './phased-list.ts';

export type Documents = ReturnType<typeof createDocuments>;

/** Maximum number of documents waiting to be indexed. */
const maxWaiting = 1000;
/** Maximum time a deletion request waits for its completion, in ms. */
const deletionTimeoutMs = 2000;

/** Maximum number of most cited documents. */
const maxCited = 10;

const existing = { owner: '', deletedAt: null } as const;
const drafts = { isDraft: true, deletedAt: null } as const;
/** An upload or a draft. */
const uploaded = (id: string) => ({ _id: id, source: 'upload' as const, $or: [existing, drafts] });

/**
 * The shared documents from which everyone gets answers. Private files are excluded: for every method they do not
 * exist.
 */
export function createDocuments(deps: {
  models: Pick<KnowledgeModels, 'documents' | 'passages' | 'findable'>;
  blobs: Pick<Blobs, 'store' | 'release'>;
  indexing: Pick<Indexing, 'begin' | 'whenDone'>;
}) {
  const { models, blobs, indexing } = deps;
  const { documents } = models;

  /** `withDrafts`: for an editor. */
  async function find(id: string, withDrafts: boolean): Promise<ShownDocument> {
    const filter = { _id: id, $or: withDrafts ? [existing, drafts] : [existing] };
    const found = await documents.findOne(filter, shownFields).lean<ShownDocument | null>();
    if (!found) throw notFound('document');
    return found;
  }

  /** A document that may be changed. */
  async function findUpload(id: string): Promise<ShownDocument> {
    const found = await find(id, true);
    if (found.source === 'handbook') throw new ApiError('forbidden');
    return found;
  }

  function listOf(q: string, language: Language, withDrafts: boolean): PhasedList<ShownDocument> {
    return {
      ...searched(`documents ${language}`, q, ({ title, name }) => [title, name ?? '']),
      phases: [
        ...(withDrafts ? [drafts] : []),
        { ...existing, source: 'upload' },
        ...startingWith(language).map((one) => ({ ...existing, source: 'handbook', language: one })),
      ],
      read: (filter, limit) =>
        documents
          .find(filter, shownFields)
          .sort({ createdAt: -1, _id: -1 })
          .limit(limit)
          .lean<ShownDocument[]>(),
    };
  }

  async function count() {
    const [sum]: { documents: number; passages: number }[] = await documents.aggregate([
      { $match: existing },
      { $group: { _id: null, documents: { $sum: 1 }, passages: { $sum: '$passages' } } },
    ]);
    return { documents: sum?.documents ?? 0, passages: sum?.passages ?? 0 };
  }

  async function countFitting(list: PhasedList<ShownDocument>) {
    const sum = { documents: 0, passages: 0 };
    for await (const { passages } of everyOf(list)) {
      sum.documents += 1;
      sum.passages += passages;
    }
    return sum;
  }

  async function restart(
    id: string,
    change: { title?: string; isTitled?: true } = {},
  ): Promise<ShownDocument> {
    const begun = await documents
      .findOneAndUpdate(
        uploaded(id),
        {
          $set: { ...change, status: 'indexing', progress: 0, failure: '', updatedAt: databaseDate() },
          $inc: { revision: 1 },
        },
        { returnDocument: 'after', projection: shownFields },
      )
      .lean<ShownDocument | null>();
    if (!begun) throw notFound('document');
    await indexing.begin(id);
    return begun;
  }

  return {
    /**
     * Uploads newest first, then the handbook page by page, the one in `language` first. `q` is a part of the
     * title or the file name. `withDrafts` is for editors, here and below; drafts come first.
     * @throws invalidRequest('cursor'), also for a cursor of a list in another language.
     */
    async list(
      q: string,
      request: PageRequest,
      language: Language,
      withDrafts: boolean,
    ): Promise<KnowledgeDocumentPage> {
      const list = listOf(q, language, withDrafts);
      const { page, nextCursor } = await readPhases(list, request);
      const { documents: total, passages } = list.fits ? await countFitting(list) : await count();
      return {
        documents: page.map((document) => toDocumentInfo(document, language)),
        total,
        passages,
        nextCursor,
      };
    },

    count,

    /** Those that answers have cited most, at most 10. */
    async mostCited(): Promise<{ id: string; title: string; cited: number }[]> {
      const found = await documents
        .find({ ...existing, cited: { $gt: 0 } }, { title: 1, cited: 1 })
        .sort({ cited: -1 })
        .limit(maxCited)
        .lean();
      return found.map(({ _id, title, cited }) => ({ id: _id, title, cited }));
    },

    /** @throws notFound('document'), as do all methods with an id. */
    get: async (id: string, language: Language, withDrafts: boolean): Promise<KnowledgeDocumentInfo> =>
      toDocumentInfo(await find(id, withDrafts), language),

    /** In document order. @throws invalidRequest('cursor') */
    async passages(
      id: string,
      { limit, cursor }: PageRequest,
      withDrafts: boolean,
    ): Promise<KnowledgePassagePage> {
      const list = `passages ${id}`;
      const [from] = cursor === undefined ? [-1] : decodeCursor(list, cursor, z.tuple([z.int()]));
      const { isDraft } = await find(id, withDrafts);
      const read = await models.passages
        .find(
          { documentId: id, owner: isDraft ? draftOwner(id) : '', start: { $gt: from } },
          { documentId: 1, title: 1, text: 1, start: 1, end: 1, place: 1, tableHead: 1 },
        )
        .sort({ start: 1 })
        .limit(limit + 1)
        .lean();
      const { page, nextCursor } = cutPage(read, limit, ({ start }) => encodeCursor(list, [start]));
      // Replaced passages can still be read where they were cited, but are not part of the document any more.
      const ids = page.map(({ _id }) => _id);
      const findable = await models.findable.find({ _id: { $in: ids } }, { _id: 1 }).lean();
      const found = new Set(findable.map(({ _id }) => _id));
      return {
        passages: page
          .filter(({ _id }) => found.has(_id))
          .map((passage) => ({ id: passage._id, ...toPassage(passage) })),
        nextCursor,
      };
    },

    /**
     * Adds a file; it is read and indexed in the background. The same file with the same title returns the
     * existing document with `isNew` false, and retries it if it had failed.
     * @param title '' for the file's own title, or its name. @throws unavailable if too many documents are
     * waiting
     */
    async add(
      { path, name, size, hash }: UploadedFile,
      title: string,
      language: Language,
      isDraft: boolean,
    ): Promise<{ document: KnowledgeDocumentInfo; isNew: boolean }> {
      const waiting = await documents.countDocuments({ owner: '', source: 'upload', status: 'indexing' });
      if (waiting >= maxWaiting) throw new ApiError('unavailable', { retryAfter: 60 });
      const identity = identityOf(hash, title, isDraft);
      return retryConflicts(async () => {
        const now = databaseDate();
        const _id = new Types.ObjectId().toHexString();
        const document: KnowledgeDocument = {
          _id,
          owner: isDraft ? draftOwner(_id) : '',
          ...(isDraft ? { isDraft } : {}),
          source: 'upload',
          type: 'text',
          size,
          blob: hash,
          pages: 0,
          title: title || cutTitle(name),
          language,
          edition: '',
          status: 'indexing',
          text: '',
          passages: 0,
          progress: 0,
          cited: 0,
          failure: '',
          name,
          isTitled: title !== '',
          identity,
          revision: 0,
          createdAt: now,
          updatedAt: now,
        };
        await blobs.store(hash, path, document._id);
        try {
          await documents.create(document);
          await indexing.begin(document._id);
          return { document: toDocumentInfo(document, language), isNew: true };
        } catch (cause) {
          await blobs.release(hash, document._id);
          if (!isDuplicateKey(cause)) throw cause;
        }
        const same = await documents
          .findOne({ ...(isDraft ? drafts : existing), source: 'upload', identity }, shownFields)
          .lean<ShownDocument | null>();
        // Deleted concurrently: treat it as new.
        if (!same) return null;
        const shown = same.status === 'failed' ? await restart(same._id) : same;
        return { document: toDocumentInfo(shown, language), isNew: false };
      });
    },

    /**
     * Changes the title. The document is indexed again, since its passages contain the title; citations of earlier answers are not changed.
     * @throws forbidden for the handbook, as do `reindex` and `remove`.
     */
    async rename(id: string, title: string, language: Language): Promise<KnowledgeDocumentInfo> {
      const found = await findUpload(id);
      const changed = found.title === title ? found : await restart(id, { title, isTitled: true });
      return toDocumentInfo(changed, language);
    },

    /**
     * Makes a draft a document that everyone is answered from; it is indexed again. @throws notFound('document') if it is no draft, conflict if there is a
     * document of the same file.
     */
    async publish(id: string, language: Language): Promise<KnowledgeDocumentInfo> {
      const draft = await documents
        .findOne({ _id: id, ...drafts }, { blob: 1, title: 1, isTitled: 1 })
        .lean();
      if (!draft) throw notFound('document');
      const identity = identityOf(draft.blob, draft.isTitled ? draft.title : '', false);
      try {
        await documents.updateOne(
          { _id: id, ...drafts },
          { $set: { owner: '', identity, status: 'indexing' }, $unset: { isDraft: 1 } },
        );
      } catch (cause) {
        throw isDuplicateKey(cause) ? new ApiError('conflict') : cause;
      }
      return toDocumentInfo(await restart(id), language);
    },

    /** Reads and indexes the file again. */
    async reindex(id: string, language: Language): Promise<KnowledgeDocumentInfo> {
      await findUpload(id);
      return toDocumentInfo(await restart(id), language);
    },

    /**
     * Hides it immediately; its passages and its file are deleted afterwards. Answers that cited it keep their
     * quotes.
     */
    async remove(id: string): Promise<void> {
      await findUpload(id);
      // The atomic decision. What must be deleted is found by its status (see indexing.ts).
      const decided = await documents.updateOne(uploaded(id), {
        $set: { deletedAt: databaseDate(), status: 'indexing' },
        $unset: { identity: 1 },
        $inc: { revision: 1 },
      });
      if (decided.matchedCount === 0) throw notFound('document');
      await indexing.begin(id);
      await indexing.whenDone(id, deletionTimeoutMs);
    },
  };
}

/** Identifies a file with its given title: the same one is not added twice. */
function identityOf(hash: string, title: string, isDraft: boolean): string {
  return createHash('sha256')
    .update(`${hash}\n${title}${isDraft ? '\ndraft' : ''}`)
    .digest('hex');
}
