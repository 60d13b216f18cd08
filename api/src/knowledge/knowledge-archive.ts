import { z } from 'zod';
import type { CollectionOwner } from '../answers/index/document.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { FileKind } from '../contract/files.ts';
import {
  KnowledgeAnswer,
  type KnowledgeArchive,
  KnowledgeQuestion,
  KnowledgeVariants,
  maxTitleLength,
} from '../contract/knowledge.ts';
import { databaseDate } from '../store/database-clock.ts';
import { cleanTitle } from './document-info.ts';
import { pairsOf, sourceOf } from './pairs.ts';

/** Format name in a knowledge archive. */
export const archiveFormat = 'consultation-desk-knowledge';
/** Maximum units of text of a document, the same as for text extracted from a file. */
const maxTextLength = 5_000_000;
const Id = z.string().regex(/^[0-9a-f]{24}$/);
const At = z.iso.datetime().transform((at) => new Date(at));
export const ArchivedDocument = z.strictObject({
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
export const ArchivedPair = z.strictObject({
  id: Id,
  question: KnowledgeQuestion,
  variants: KnowledgeVariants,
  answer: KnowledgeAnswer,
  createdAt: At,
});
export type ArchivedDocument = z.infer<typeof ArchivedDocument>;
export type ArchivedPair = z.infer<typeof ArchivedPair>;

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
