import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type CollectionOwner, documentDefaults, type KnowledgeDocument } from '../answers/index/document.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { analyseQuestion } from '../answers/retrieve/analyse-question.ts';
import { FileKind } from '../contract/files.ts';
import {
  KnowledgeAnswer,
  type KnowledgeArchive,
  type KnowledgeImportReply,
  KnowledgeQuestion,
  KnowledgeVariants,
  maxTitleLength,
} from '../contract/knowledge.ts';
import { ApiError, importStopped } from '../errors/errors.ts';
import type { Blobs } from '../files/blobs.ts';
import { checkedItem } from '../http/body.ts';
import { type ArchiveKind, readArchive } from '../records/archive/read-archive.ts';
import { databaseDate } from '../store/database-clock.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import { createYielder } from '../store/yield-to-event-loop.ts';
import { cleanTitle } from './document-info.ts';
import type { Indexing } from './indexing.ts';
import { pairFields, pairsOf, sourceOf } from './pairs.ts';

/** Format name in a knowledge archive. */
const archiveFormat = 'consultation-desk-knowledge';
/** Maximum bytes of one document or pair: 5 million units of text in the longest common encoding. */
const kind: ArchiveKind<'documents' | 'pairs'> = {
  format: archiveFormat,
  lists: ['documents', 'pairs'],
  maxElementBytes: 32 * 1024 * 1024,
};
/** Maximum time to wait for an item that is being read or deleted, in ms. */
const maxWaitMs = 30_000;
const pollMs = 200;

/**
 * Imports a knowledge archive into the collection of `owner` as a stream, item by item, keyed by id: importing the same archive again
 * changes nothing. An id that belongs to the handbook, to another collection or to a private file is replaced, by the same id at
 * every import. A question that another editor's pair already has stays with that pair. Documents are indexed
 * in the background.
 * @throws invalidRequest with the path of the field (`pairs.17.question`), tooLarge; items before the error
 * stay imported, and the error contains their number.
 */
export async function importKnowledge(
  deps: {
    models: Pick<KnowledgeModels, 'documents' | 'texts' | 'pairs'>;
    blobs: Pick<Blobs, 'release'>;
    indexing: Pick<Indexing, 'begin'>;
  },
  archive: AsyncIterable<Uint8Array>,
  owner: '' | CollectionOwner,
): Promise<KnowledgeImportReply> {
  const reply: KnowledgeImportReply = { documents: 0, pairs: 0, unchanged: 0 };
  const yieldToEventLoop = createYielder();
  try {
    for await (const { list, field, value } of readArchive(archive, kind)) {
      const isChanged =
        list === 'documents'
          ? await takeDocument(deps, checkedItem(ArchivedDocument, value, field), owner)
          : await takePair(deps, checkedItem(ArchivedPair, value, field), owner);
      reply[isChanged ? list : 'unchanged'] += 1;
      await yieldToEventLoop();
    }
    return reply;
  } catch (cause) {
    const received = reply.documents + reply.pairs;
    throw cause instanceof ApiError && received > 0 ? importStopped(cause, received, 'knowledge_') : cause;
  }
}

/** Returns whether anything was written. */
async function takeDocument(
  { models: { documents, texts }, blobs, indexing }: Parameters<typeof importKnowledge>[0],
  given: ArchivedDocument,
  owner: '' | CollectionOwner,
): Promise<boolean> {
  const { title, type, text, createdAt } = given;
  const { language } = analyseQuestion(text.slice(0, 2000), 'zh');
  const size = Buffer.byteLength(text);
  for (const end = Date.now() + maxWaitMs; Date.now() < end; await delay(pollMs)) {
    const _id = await idFor(
      given.id,
      owner,
      async (id) => documents.findById(id, { owner: 1, source: 1 }).lean(),
      (found) => found.owner === owner && found.source === 'upload',
    );
    const before = await documents.findById(_id).lean();
    // The process that is reading the file will write its text.
    if (before?.deletedAt || (before?.status === 'indexing' && before.blob !== '')) continue;
    const known = before && (await texts.findById(_id).lean());
    const isSame = before?.title === title && before.type === type && known?.text === text;
    if (isSame && before?.status !== 'failed') return false;
    const now = databaseDate();
    if (known?.text !== text) await texts.updateOne({ _id }, { $set: { text } }, { upsert: true });
    const content = { title, isTitled: true, type, language, size, pages: before?.pages ?? 1 };
    const work = { status: 'indexing', progress: 0, failure: '', blob: '', updatedAt: now } as const;
    if (before) {
      const { revision = null } = before;
      const asSeen: Record<string, unknown> = { _id, owner, revision, deletedAt: null };
      const update = {
        $set: { ...content, ...work },
        $unset: { identity: 1 },
        $inc: { revision: 1 },
      } as const;
      const written = await documents.updateOne(asSeen, update);
      if (written.matchedCount === 0) continue;
      if (before.blob !== '') await blobs.release(before.blob, _id);
      await indexing.begin(_id);
      return true;
    }
    const made = { _id, owner, source: 'upload' as const, revision: 0, createdAt };
    const document: KnowledgeDocument = { ...documentDefaults(), ...made, ...content, ...work };
    if (!(await unlessDuplicate(documents.create(document)))) continue;
    await indexing.begin(_id);
    return true;
  }
  throw new ApiError('unavailable', { retryAfter: 10 });
}

async function takePair(
  { models: { pairs } }: Parameters<typeof importKnowledge>[0],
  { id, createdAt, ...request }: ArchivedPair,
  owner: '' | CollectionOwner,
): Promise<boolean> {
  const source = sourceOf(owner);
  const fields = { ...pairFields(request), source };
  const _id = await idFor(
    id,
    owner,
    async (one) => pairs.findById(one, { source: 1 }).lean(),
    (found) => found.source === source,
  );
  const now = databaseDate();
  const before = await pairs.findById(_id).lean();
  const isSame =
    before?.question === fields.question &&
    before.answer === fields.answer &&
    before.variants.join('\n') === fields.variants.join('\n');
  // Another pair already has the question and keeps it. The store compares pairs of the first collection alone.
  const isTaken = await pairs.exists({ keys: { $in: fields.keys }, source, _id: { $ne: _id } });
  if (isSame || isTaken) return false;
  const written = before
    ? pairs.updateOne({ _id, source }, { $set: { ...fields, updatedAt: now } })
    : pairs.create({ _id, ...fields, hits: 0, createdAt, updatedAt: now });
  return unlessDuplicate(written);
}

/** `id`, or an id derived from it if the existing item must not be overwritten. */
async function idFor<T>(
  id: string,
  owner: '' | CollectionOwner,
  find: (id: string) => Promise<T | null>,
  isOurs: (found: T) => boolean,
): Promise<string> {
  const found = await find(id);
  if (!found || isOurs(found)) return id;
  const renamed = createHash('sha256').update(`knowledge\n${owner}${id}`).digest('hex').slice(0, 24);
  const other = await find(renamed);
  if (!other || isOurs(other)) return renamed;
  throw new ApiError('conflict');
}

/** Maximum units of text of a document, the same as for text extracted from a file. */
const maxTextLength = 5_000_000;
const Id = z.string().regex(/^[0-9a-f]{24}$/);
const At = z.iso.datetime().transform((at) => new Date(at));
const ArchivedDocument = z.strictObject({
  id: Id,
  title: z.string().transform(cleanTitle).pipe(z.string().min(1).max(maxTitleLength)),
  type: FileKind,
  text: z
    .string()
    .min(1)
    .max(maxTextLength)
    .transform((text) => text.toWellFormed().replace(/\r\n?/g, '\n')),
  createdAt: At,
});
const ArchivedPair = z.strictObject({
  id: Id,
  question: KnowledgeQuestion,
  variants: KnowledgeVariants,
  answer: KnowledgeAnswer,
  createdAt: At,
});
type ArchivedDocument = z.infer<typeof ArchivedDocument>;
type ArchivedPair = z.infer<typeof ArchivedPair>;

/** Writes all documents and pairs of editors in the collection of `owner`, without the handbook. Holds one document in memory at a time. */
export async function* writeKnowledge(
  { documents, texts, pairs }: Pick<KnowledgeModels, 'documents' | 'texts' | 'pairs'>,
  owner: '' | CollectionOwner,
): AsyncGenerator<string> {
  const header: Pick<KnowledgeArchive, 'format' | 'version' | 'exportedAt'> = {
    format: archiveFormat,
    version: 1,
    exportedAt: databaseDate().toISOString(),
  };
  yield `${JSON.stringify(header).slice(0, -1)},\n"documents":[`;
  let comma = '';
  const shared = { owner, source: 'upload', deletedAt: null } as const;
  const ids = await documents.find(shared, { _id: 1 }).sort({ createdAt: -1, _id: -1 }).lean();
  for (const { _id } of ids) {
    const document = await documents.findOne({ _id, ...shared }, { title: 1, type: 1, createdAt: 1 }).lean();
    const read = document && (await texts.findById(_id).lean());
    // Unreadable documents have no text.
    if (!read || read.text.trim() === '') continue;
    const { title, type, createdAt } = document;
    const entry = { id: _id, title, type, text: read.text, createdAt: createdAt.toISOString() };
    yield `${comma}\n${JSON.stringify(entry satisfies KnowledgeArchive['documents'][number])}`;
    comma = ',';
  }
  yield '\n],\n"pairs":[';
  comma = '';
  for await (const { _id, question, variants, answer, createdAt } of pairsOf(pairs, sourceOf(owner))) {
    const entry = { id: _id, question, variants, answer, createdAt: createdAt.toISOString() };
    yield `${comma}\n${JSON.stringify(entry satisfies KnowledgeArchive['pairs'][number])}`;
    comma = ',';
  }
  yield '\n]\n}\n';
}
