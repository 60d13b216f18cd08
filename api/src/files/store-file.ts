import { randomBytes } from 'node:crypto';
import type { Types } from 'mongoose';
import type { KnowledgeIndex } from '../answers/index/create-knowledge-index.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { RecordFile } from '../contract/records.ts';
import type { UploadedFile } from '../http/desk-state.ts';
import { databaseDate } from '../store/database-clock.ts';
import type { Blobs } from './blobs.ts';
import type { Extracted } from './extraction/extractor.ts';
import { fileUrl } from './read-files.ts';
import type { UploadDocument, UploadModel } from './upload.ts';

interface ExtractedUpload extends UploadedFile {
  extracted: Extracted;
}

/**
 * Stores a file for a record that is about to be created: content, text, private passages. A failure is
 * undone by `DeleteFiles.ofRecords`; the upload document is written first, so that remains of a crash can be
 * found.
 * @param options.onProgress the indexed fraction of its text, 0–1. @throws disk_full, and the abort reason of
 * `signal`.
 */
export type StoreFile = (
  owner: string,
  recordId: Types.ObjectId,
  read: ExtractedUpload,
  options: { signal: AbortSignal; onProgress(share: number): void },
) => Promise<RecordFile>;

export function createStoreFile(deps: {
  uploads: UploadModel;
  documents: KnowledgeModels['documents'];
  index: KnowledgeIndex;
  blobs: Blobs;
}): StoreFile {
  const { uploads, documents, index, blobs } = deps;

  async function keepText(
    { owner, documentId, createdAt }: UploadDocument,
    { name, size, extracted }: ExtractedUpload,
    { signal, onProgress }: Parameters<StoreFile>[3],
  ): Promise<void> {
    if (documentId === null) return;
    const { kind, text, places, title, notices, language, pages } = extracted;
    const document = { _id: documentId, owner, title: title || name, language, text, places };
    await documents.create({
      ...document,
      notices,
      source: 'upload',
      type: kind,
      size,
      pages,
      status: 'indexing',
      progress: 0,
      createdAt,
      updatedAt: createdAt,
    });
    const passages = await index.put(document, {
      signal,
      onProgress: (done, total) => onProgress(done / Math.max(1, total)),
    });
    await documents.updateOne(
      { _id: documentId },
      { $set: { status: 'ready', progress: 1, passages, updatedAt: databaseDate() } },
    );
  }

  return async (owner, recordId, read, options) => {
    const upload = uploadOf(owner, recordId, read);
    await uploads.create(upload);
    await blobs.store(upload.blob, read.path, upload._id);
    await keepText(upload, read, options);
    const { _id, name, kind, chars, pages } = upload;
    const { notices } = read.extracted;
    return {
      id: _id,
      name,
      kind,
      chars,
      pages,
      url: fileUrl(_id),
      ...(notices.length > 0 ? { notices } : {}),
    };
  };
}

function uploadOf(
  owner: string,
  recordId: Types.ObjectId,
  { name, hash, size, extracted }: ExtractedUpload,
): UploadDocument {
  const { kind, type, text, pages } = extracted;
  return {
    _id: newId(),
    owner,
    recordId,
    blob: hash,
    name,
    kind,
    type,
    size,
    chars: text.length,
    pages,
    documentId: text.trim() === '' ? null : newId(),
    createdAt: databaseDate(),
  };
}

/** Random, cannot be guessed. */
function newId(): string {
  return randomBytes(16).toString('hex');
}
