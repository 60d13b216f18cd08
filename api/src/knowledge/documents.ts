import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import type { KnowledgeDocument } from '../answers/document.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { toPassage } from '../answers/read-passage.ts';
import type {
  KnowledgeDocumentInfo,
  KnowledgeDocumentPage,
  KnowledgePassagePage,
  Language,
} from '../contract/contract.ts';
import { forbidden, notFound, unavailable } from '../contract/errors.ts';
import type { Blobs } from '../files/blobs.ts';
import type { UploadedFile } from '../http/uploaded.ts';
import type { PageRequest } from '../records/conversations.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import { isDuplicateKey } from '../store/store-failure.ts';
import { within } from '../store/within.ts';
import { cutTitle, type ShownDocument, shownFields, toDocumentInfo } from './document-info.ts';
import type { Indexing } from './indexing.ts';
import { readListCursor, writeListCursor } from './list-cursor.ts';
import { everyOf, otherThan, type PhasedList, readPhases, searched } from './phased-list.ts';

/** What everyone is answered from. Private files are none of these: to every call here they are not there. */
export interface Documents {
  /**
   * Uploads newest first, then the handbook page by page, the one in `language` first. `q` is a part of the title or of the file's name.
   *
   * @throws invalidRequest('cursor'), also for one of a list in another language.
   */
  list(q: string, request: PageRequest, language: Language): Promise<KnowledgeDocumentPage>;
  count(): Promise<{ documents: number; passages: number }>;
  /** @throws notFound('document'), as do all that name one. */
  get(id: string, language: Language): Promise<KnowledgeDocumentInfo>;
  /** In the order of the document. @throws invalidRequest('cursor') */
  passages(id: string, request: PageRequest): Promise<KnowledgePassagePage>;
  /**
   * Takes a file; reading and indexing go on behind. The same file under the same title is the document that is there already: `isNew` is
   * false then, and one that failed is tried once more.
   *
   * @param title '' is the file's own, or its name.
   * @throws unavailable when too many wait already
   */
  add(
    file: UploadedFile,
    title: string,
    language: Language,
  ): Promise<{ document: KnowledgeDocumentInfo; isNew: boolean }>;
  /** Reads the file anew and indexes it. @throws forbidden for the handbook, as does `remove`. */
  reindex(id: string, language: Language): Promise<KnowledgeDocumentInfo>;
  /** Nobody sees it from now on; its passages and its file go right after. Answers that cited it keep what they quoted. */
  remove(id: string): Promise<void>;
}

/** Documents that wait to be indexed at most. */
const mostWaiting = 1000;
/** A deletion waits for its end so long, in ms. */
const goneWithinMs = 2000;

const there = { owner: '', deletedAt: null } as const;

export function createDocuments(deps: {
  models: Pick<KnowledgeModels, 'documents' | 'passages' | 'findable'>;
  blobs: Pick<Blobs, 'keep' | 'release'>;
  indexing: Pick<Indexing, 'begin' | 'whenGone'>;
}): Documents {
  const { models, blobs, indexing } = deps;
  const { documents } = models;

  async function find(id: string): Promise<ShownDocument> {
    const found = await documents.findOne({ ...there, _id: id }, shownFields).lean<ShownDocument | null>();
    if (!found) throw notFound('document');
    return found;
  }

  /** One that may be changed. */
  async function findUpload(id: string): Promise<ShownDocument> {
    const found = await find(id);
    if (found.source === 'handbook') throw forbidden();
    return found;
  }

  function listOf(q: string, language: Language): PhasedList<ShownDocument> {
    return {
      ...searched(`documents ${language}`, q, ({ title, name }) => [title, name ?? '']),
      phases: [
        { ...there, source: 'upload' },
        { ...there, source: 'handbook', language },
        { ...there, source: 'handbook', language: otherThan(language) },
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
      { $match: there },
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

  async function beginAnew(id: string): Promise<ShownDocument> {
    const begun = await documents
      .findOneAndUpdate(
        { ...there, _id: id, source: 'upload' },
        {
          $set: { status: 'indexing', progress: 0, failure: '', updatedAt: new Date() },
          $inc: { revision: 1 },
        },
        { returnDocument: 'after', projection: shownFields },
      )
      .lean<ShownDocument | null>();
    if (!begun) throw notFound('document');
    indexing.begin();
    return begun;
  }

  return {
    async list(q, request, language) {
      const list = listOf(q, language);
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

    get: async (id, language) => toDocumentInfo(await find(id), language),

    async passages(id, { limit, cursor }) {
      const list = `passages ${id}`;
      const [from] = cursor === undefined ? [-1] : readListCursor(list, cursor, [0]);
      await find(id);
      const read = await models.passages
        .find(
          { documentId: id, owner: '', start: { $gt: from } },
          { title: 1, text: 1, start: 1, end: 1, place: 1, tableHead: 1 },
        )
        .sort({ start: 1 })
        .limit(limit + 1)
        .lean();
      const page = read.slice(0, limit);
      // What was superseded is still to be read where it was cited, and is no part of the document any more.
      const ids = page.map(({ _id }) => _id);
      const findable = await models.findable.find({ _id: { $in: ids } }, { _id: 1 }).lean();
      const found = new Set(findable.map(({ _id }) => _id));
      const last = page.at(-1);
      return {
        passages: page
          .filter(({ _id }) => found.has(_id))
          .map((passage) => ({ id: passage._id, ...toPassage(passage) })),
        nextCursor: read.length > limit && last ? writeListCursor(list, [last.start]) : null,
      };
    },

    async add({ path, name, size, hash }, title, language) {
      const waiting = await documents.countDocuments({ owner: '', source: 'upload', status: 'indexing' });
      if (waiting >= mostWaiting) throw unavailable(60);
      const identity = createHash('sha256').update(`${hash}\n${title}`).digest('hex');
      return retryConflicts(async () => {
        const now = new Date();
        const document: KnowledgeDocument = {
          _id: new Types.ObjectId().toHexString(),
          owner: '',
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
          lease: null,
          name,
          isTitled: title !== '',
          identity,
          revision: 0,
          createdAt: now,
          updatedAt: now,
        };
        await blobs.keep(hash, path, document._id);
        try {
          await documents.create(document);
          indexing.begin();
          return { document: toDocumentInfo(document, language), isNew: true };
        } catch (cause) {
          await blobs.release(hash, document._id);
          if (!isDuplicateKey(cause)) throw cause;
        }
        const same = await documents
          .findOne({ ...there, source: 'upload', identity }, shownFields)
          .lean<ShownDocument | null>();
        // Deleted in between: then it is new.
        if (!same) return null;
        const shown = same.status === 'failed' ? await beginAnew(same._id) : same;
        return { document: toDocumentInfo(shown, language), isNew: false };
      });
    },

    async reindex(id, language) {
      await findUpload(id);
      return toDocumentInfo(await beginAnew(id), language);
    },

    async remove(id) {
      await findUpload(id);
      // The decision. What has to go is found by its status (see indexing.ts).
      const decided = await documents.updateOne(
        { ...there, _id: id, source: 'upload' },
        {
          $set: { deletedAt: new Date(), status: 'indexing' },
          $unset: { identity: 1 },
          $inc: { revision: 1 },
        },
      );
      if (decided.matchedCount === 0) throw notFound('document');
      indexing.begin();
      await within(goneWithinMs, indexing.whenGone(id));
    },
  };
}
