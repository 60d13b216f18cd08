import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import type { KnowledgeIndex } from '../answers/index/create-knowledge-index.ts';
import {
  type CollectionOwner,
  documentDefaults,
  draftOwner,
  type KnowledgeDocument,
} from '../answers/index/document.ts';
import { markMoved } from '../answers/index/moved-passage.ts';
import { toPassage } from '../answers/index/read-passage.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { editableOwner, type KnowledgeAccess, narrowed } from '../collections/collections.ts';
import { firstCollection } from '../contract/collections.ts';
import type { DocumentChange, KnowledgeDocumentInfo, KnowledgePassagePage } from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import type { Blobs } from '../files/blobs.ts';
import type { UploadedFile } from '../http/desk-state.ts';
import { type PageRequest, readPage } from '../store/cursor.ts';
import { databaseDate } from '../store/database-clock.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import { isDuplicateKey, orConflict } from '../store/store-failure.ts';
import { cutTitle, type ShownDocument, toDocumentInfo, withoutText } from './document-info.ts';
import type { Indexing } from './indexing.ts';
import { everyOf, type PhasedList, readPhases, searched, startingWith } from './phased-list.ts';

const maxWaiting = 1000;
/** Maximum time a deletion request waits for its completion, in ms. */
const deletionTimeoutMs = 2000;

/** Maximum number of most cited documents. */
const maxCited = 10;

const notDeleted = { deletedAt: null } as const;
const indexingAgain = { status: 'indexing', progress: 0 } as const;
/** Filter of the drafts of collections that may be changed. */
export const draftsOf = ({ editable }: KnowledgeAccess) => ({
  ...notDeleted,
  isDraft: true,
  draftFor: { $in: editable.map((owner) => owner || null) },
});
const existingOf = ({ readable }: Pick<KnowledgeAccess, 'readable'>) => ({
  ...notDeleted,
  owner: readable.length === 1 ? readable[0]! : { $in: [...readable] },
});
/** An upload or a draft, unless it has been moved or deleted since it was read. */
const asRead = ({ _id, owner }: Pick<KnowledgeDocument, '_id' | 'owner'>) => {
  return { ...notDeleted, _id, owner, source: 'upload' as const };
};

/**
 * The documents of the collections. For every method, these do not exist: private files, documents of collections that `access` does
 * not allow to read, and drafts in collections that it does not allow to change.
 */
export function createDocuments(deps: {
  models: Pick<KnowledgeModels, 'documents' | 'passages' | 'movedPassages' | 'findable'>;
  blobs: Pick<Blobs, 'store' | 'release'>;
  indexing: Pick<Indexing, 'begin' | 'whenDone'>;
  index: Pick<KnowledgeIndex, 'remove'>;
}) {
  const { models, blobs, indexing, index } = deps;
  const { documents } = models;

  async function find(id: string, access: KnowledgeAccess): Promise<ShownDocument> {
    const filter = { _id: id, $or: [existingOf(access), draftsOf(access)] };
    const found = await documents.findOne(filter, withoutText).lean();
    if (!found) throw notFound('document');
    return found;
  }

  /** A document that may be changed. */
  async function findUpload(id: string, access: KnowledgeAccess): Promise<ShownDocument> {
    const found = await find(id, access);
    const mayChange = found.isDraft || access.editable.some((owner) => owner === found.owner);
    if (found.source === 'handbook' || !mayChange) throw new ApiError('forbidden');
    return found;
  }

  function listOf(
    { q, collection }: Wanted,
    language: Language,
    access: KnowledgeAccess,
  ): PhasedList<ShownDocument> {
    const within = narrowed(access, collection);
    const handbook = { ...existingOf(within), source: 'handbook' };
    return {
      ...searched(`documents ${language} ${collection ?? ''}`, q, ({ title, name }) => [title, name ?? '']),
      phases: [
        ...(within.editable.length > 0 ? [draftsOf(within)] : []),
        { ...existingOf(within), source: 'upload' },
        ...startingWith(language).map((one) => ({ ...handbook, language: one })),
      ],
      read: (filter, limit) =>
        documents.find(filter, withoutText).sort({ createdAt: -1, _id: -1 }).limit(limit).lean(),
    };
  }

  async function count(access: Pick<KnowledgeAccess, 'readable'>) {
    const [sum]: { documents: number; passages: number }[] = await documents.aggregate([
      { $match: existingOf(access) },
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
    document: Pick<KnowledgeDocument, '_id' | 'owner'>,
    change: { title?: string; isTitled?: true } = {},
  ): Promise<ShownDocument> {
    const $set = { ...change, ...indexingAgain, failure: '', updatedAt: databaseDate() };
    const after = { returnDocument: 'after', projection: withoutText } as const;
    const update = { $set, $inc: { revision: 1 } };
    const begun = await documents.findOneAndUpdate(asRead(document), update, after).lean();
    if (!begun) throw notFound('document');
    await indexing.begin(begun._id);
    return begun;
  }

  /**
   * Moves a document to another collection. Once this resolves, nobody can read it in the old collection or gets answers from it until it
   * is indexed in the new one.
   * @throws conflict while it is being indexed, or if there is a document of the same file
   */
  async function move(found: ShownDocument, owner: '' | CollectionOwner): Promise<ShownDocument> {
    const { _id, isDraft } = found;
    const file = await documents.findOne(asRead(found), { blob: 1, title: 1, isTitled: 1 }).lean();
    if (!file) throw notFound('document');
    const identity = identityOf(file.blob, file.isTitled ? file.title : '', isDraft === true, owner);
    if (isDraft) {
      const ofFirst = { $set: { identity }, $unset: { draftFor: 1 } } as const;
      const update = owner ? { $set: { identity, draftFor: owner } } : ofFirst;
      await orConflict(() => documents.updateOne(asRead(found), update));
      const { draftFor: _, ...rest } = found;
      return owner ? { ...rest, draftFor: owner } : rest;
    }
    // Before the move: an answer is rather withdrawn too early than shown too long.
    await markMoved(models, _id, owner);
    try {
      const idle = { ...asRead(found), status: { $ne: 'indexing' } } as const;
      const update = { $set: { owner, identity, ...indexingAgain }, $inc: { revision: 1 } };
      const moved = await orConflict(() => documents.updateOne(idle, update));
      if (moved.matchedCount === 0) throw new ApiError('conflict');
    } catch (cause) {
      const now = await documents.findById(_id, { owner: 1 }).lean();
      await markMoved(models, _id, now?.owner ?? found.owner);
      throw cause;
    }
    await index.remove(_id);
    return restart({ _id, owner });
  }

  return {
    /**
     * Uploads newest first, then the handbook page by page, the one in `language` first. `q` is a part of the
     * title or the file name, `collection` the id of the only one to list. Drafts come first.
     * @throws invalidRequest('cursor'), also for a cursor of a list in another language.
     */
    async list(wanted: Wanted, request: PageRequest, language: Language, access: KnowledgeAccess) {
      const list = listOf(wanted, language, access);
      const { page, nextCursor } = await readPhases(list, request);
      const { documents: total, passages } = list.fits
        ? await countFitting(list)
        : await count(narrowed(access, wanted.collection));
      const shown = page.map((document) => toDocumentInfo(document, language));
      return { documents: shown, total, passages, nextCursor };
    },

    count,

    /** The documents that answers have cited most, at most 10. */
    async mostCited(access: KnowledgeAccess): Promise<{ id: string; title: string; cited: number }[]> {
      const found = await documents
        .find({ ...existingOf(access), cited: { $gt: 0 } }, { title: 1, cited: 1 })
        .sort({ cited: -1 })
        .limit(maxCited)
        .lean();
      return found.map(({ _id, title, cited }) => ({ id: _id, title, cited }));
    },

    /** @throws notFound('document'), as do all methods with an id. */
    get: async (id: string, language: Language, access: KnowledgeAccess): Promise<KnowledgeDocumentInfo> =>
      toDocumentInfo(await find(id, access), language),

    /** The passages of a document, in its order. @throws invalidRequest('cursor') */
    async passages(id: string, request: PageRequest, access: KnowledgeAccess): Promise<KnowledgePassagePage> {
      const { owner } = await find(id, access);
      const own = { documentId: id, owner };
      const fields = { documentId: 1, title: 1, text: 1, start: 1, end: 1, place: 1, tableHead: 1 } as const;
      const list = `passages ${id}`;
      const { page, nextCursor } = await readPage(models.passages, { start: 1 }, list, request, own, fields);
      // Replaced passages can still be read where they were cited, but are not part of the document any more.
      const ids = page.map(({ _id }) => _id);
      const findable = await models.findable.find({ _id: { $in: ids } }, { _id: 1 }).lean();
      const found = new Set(findable.map(({ _id }) => _id));
      const current = page.filter(({ _id }) => found.has(_id));
      return { passages: current.map((one) => ({ id: one._id, ...toPassage(one) })), nextCursor };
    },

    /**
     * Adds a file; it is read and indexed in the background. The same file with the same title returns the
     * existing document of the collection with `isNew` false, and retries it if it had failed.
     * @param title '' for the file's own title, or its name.
     * @throws forbidden if the collection may not be changed, unavailable if too many documents are waiting.
     */
    async add(
      { path, name, size, hash }: UploadedFile,
      given: { title: string; isDraft: boolean; collection?: string | undefined },
      language: Language,
      access: KnowledgeAccess,
    ): Promise<{ document: KnowledgeDocumentInfo; isNew: boolean }> {
      const { title, isDraft, collection = firstCollection } = given;
      const owner = editableOwner(access, collection);
      const waiting = await documents.countDocuments({ owner, source: 'upload', status: 'indexing' });
      if (waiting >= maxWaiting) throw new ApiError('unavailable', { retryAfter: 60 });
      const identity = identityOf(hash, title, isDraft, owner);
      return retryConflicts(async () => {
        const now = databaseDate();
        const _id = new Types.ObjectId().toHexString();
        const document: KnowledgeDocument = {
          ...documentDefaults(),
          _id,
          owner: isDraft ? draftOwner(_id) : owner,
          ...(isDraft ? { isDraft, ...(owner ? { draftFor: owner } : {}) } : {}),
          source: 'upload',
          type: 'text',
          size,
          blob: hash,
          title: title || cutTitle(name),
          language,
          ...indexingAgain,
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
        const equal = { ...notDeleted, source: 'upload', identity } as const;
        const same = await documents.findOne(equal, withoutText).lean();
        // Deleted concurrently: treat it as new.
        if (!same) return null;
        const shown = same.status === 'failed' ? await restart(same) : same;
        return { document: toDocumentInfo(shown, language), isNew: false };
      });
    },

    /**
     * Changes the title, the collection, or both. The document is indexed again, since its passages contain the title; citations of earlier answers are
     * not changed.
     * @throws forbidden for the handbook and for a collection that may not be changed, as do `publish`, `reindex` and `remove`; the errors of `move`.
     */
    async change(
      id: string,
      { title, collectionId }: DocumentChange,
      language: Language,
      access: KnowledgeAccess,
    ): Promise<KnowledgeDocumentInfo> {
      let found = await findUpload(id, access);
      const owner = collectionId === undefined ? undefined : editableOwner(access, collectionId);
      if (owner !== undefined && owner !== (found.draftFor ?? (found.isDraft ? '' : found.owner)))
        found = await move(found, owner);
      if (title !== undefined && title !== found.title)
        found = await restart(found, { title, isTitled: true });
      return toDocumentInfo(found, language);
    },

    /**
     * Publishes a draft: it is indexed again and then used for all answers.
     * @throws notFound('document') if it is no draft, conflict if there is a document of the same file.
     */
    async publish(id: string, language: Language, access: KnowledgeAccess): Promise<KnowledgeDocumentInfo> {
      const own = { _id: id, ...draftsOf(access) };
      const draft = await documents.findOne(own, { blob: 1, title: 1, isTitled: 1, draftFor: 1 }).lean();
      if (!draft) throw notFound('document');
      const { draftFor: owner = '' } = draft;
      const identity = identityOf(draft.blob, draft.isTitled ? draft.title : '', false, owner);
      const $set = { owner, identity, status: 'indexing' } as const;
      await orConflict(() => documents.updateOne(own, { $set, $unset: { isDraft: 1, draftFor: 1 } }));
      return toDocumentInfo(await restart({ _id: id, owner }), language);
    },

    /** Reads and indexes the file again. */
    async reindex(id: string, language: Language, access: KnowledgeAccess): Promise<KnowledgeDocumentInfo> {
      return toDocumentInfo(await restart(await findUpload(id, access)), language);
    },

    /** Hides it; passages and file are deleted afterwards. Answers that cited it keep their quotes. */
    async remove(id: string, access: KnowledgeAccess): Promise<void> {
      const found = await findUpload(id, access);
      // This write is the atomic decision. Data to be deleted is then found by its status (see indexing.ts).
      const decided = await documents.updateOne(asRead(found), {
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

/** Filters of a list: `q` as in the contract, and a collection. */
export interface Wanted {
  q: string;
  collection?: string | undefined;
}

/** Identifies a file with its given title in a collection: the same one is not added twice. */
function identityOf(hash: string, title: string, isDraft: boolean, owner: string): string {
  const whole = `${hash}\n${title}${isDraft ? '\ndraft' : ''}${owner && `\n${owner}`}`;
  return createHash('sha256').update(whole).digest('hex');
}
