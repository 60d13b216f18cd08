import type { QuestionFile } from '../answers/answerer.ts';
import { notFound } from '../errors/errors.ts';
import type { HiddenRecords } from '../records/hidden-records.ts';
import { firstVersionOf, type RecordDocument } from '../records/record.ts';
import type { RecordModels } from '../records/record-models.ts';
import type { Blobs } from './blobs.ts';
import type { FileModels } from './file-models.ts';
import { readStored, type StoredFile } from './storage/file-store.ts';
import type { UploadDocument } from './upload.ts';

/** A file as returned to its owner. */
export interface OwnFile {
  upload: Pick<UploadDocument, 'name' | 'type' | 'kind' | 'blob'>;
  file: StoredFile;
}

export function fileUrl(id: string): string {
  return `/api/files/${id}`;
}

export type ReadFiles = ReturnType<typeof createReadFiles>;

/** Reads files of records, with access checks. */
export function createReadFiles(deps: {
  models: Pick<FileModels, 'uploads'> & Pick<RecordModels, 'records'>;
  hidden: HiddenRecords;
  blobs: Blobs;
}) {
  const { models, hidden, blobs } = deps;
  const { uploads, records } = models;

  /** Whether a version of its question is visible. */
  async function isShown({ owner, recordId }: UploadDocument): Promise<boolean> {
    const visible = await hidden.visible(owner);
    return (
      (await records.exists({ _id: recordId, ...visible })) !== null ||
      (await records.exists({ 'versionOf.recordId': recordId, ...visible })) !== null
    );
  }

  async function open(owner: string, which: { _id: string } | { documentId: string }): Promise<OwnFile> {
    const upload = await uploads.findOne({ ...which, owner }).lean();
    const file = upload && (await isShown(upload)) ? await blobs.open(upload.blob) : undefined;
    if (!upload || !file) throw notFound('file');
    return { upload, file };
  }

  async function readBytes(hash: string): Promise<Uint8Array> {
    const file = await blobs.open(hash);
    const bytes = file && (await readStored(file));
    if (!bytes) throw notFound('file');
    return bytes;
  }

  return {
    /** @throws notFound('file') for files of another owner or of a deleted record. */
    open: (owner: string, id: string): Promise<OwnFile> => open(owner, { _id: id }),
    /** The file of a private document, as `open`. */
    openDocument: (owner: string, documentId: string): Promise<OwnFile> => open(owner, { documentId }),

    /** An image that a record references by URL; null if it is deleted or belongs to another owner. */
    async readPicture(owner: string, url: string): Promise<Uint8Array | null> {
      const id = url.startsWith(fileUrl('')) ? url.slice(fileUrl('').length) : '';
      const found = await open(owner, { _id: id }).catch(() => null);
      return found?.upload.kind === 'image' ? ((await readStored(found.file)) ?? null) : null;
    },

    /** The files of a question, in order. */
    async filesOf(record: Pick<RecordDocument, '_id' | 'versionOf' | 'files'>): Promise<QuestionFile[]> {
      const { files } = record;
      const found = await uploads.find({ recordId: firstVersionOf(record) }).lean();
      const byId = new Map(found.map((upload) => [upload._id, upload]));
      return files.flatMap(({ id }) => {
        const upload = byId.get(id);
        if (!upload) return [];
        const { name, kind, type, blob, documentId } = upload;
        const readImage = kind === 'image' ? async () => ({ type, bytes: await readBytes(blob) }) : null;
        return [{ name, kind, documentId, readImage }];
      });
    },

    /** Distinct ids of the private documents created from the owner's files. */
    async documentsOf(owner: string, fileIds: readonly string[]): Promise<string[]> {
      const found = await uploads.find({ _id: { $in: [...fileIds] }, owner }, { documentId: 1 }).lean();
      return [...new Set(found.flatMap(({ documentId }) => documentId ?? []))];
    },

    /** Whether the owner may read passages of a private document: not if its record is deleted. */
    async maySeeDocument(owner: string, documentId: string): Promise<boolean> {
      const upload = await uploads.findOne({ owner, documentId }).lean();
      return upload !== null && isShown(upload);
    },
  };
}
