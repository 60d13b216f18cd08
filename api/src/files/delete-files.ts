import type { Types } from 'mongoose';
import type { KnowledgeIndex } from '../answers/knowledge-index.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { RecordModels } from '../records/record-models.ts';
import { inSlices, slicesById } from '../store/in-slices.ts';
import type { Blobs } from './blobs.ts';
import type { FileModels } from './file-models.ts';
import type { UploadDocument } from './upload.ts';

/**
 * Deletes files permanently: content without other holders, texts, passages. Every step can be repeated after
 * an interruption.
 */
export interface DeleteFiles {
  ofRecords(recordIds: readonly Types.ObjectId[]): Promise<void>;
  /** Everything of an owner. */
  ofOwner(owner: string): Promise<void>;
  /** Uploads older than `before` without a record: their request was interrupted. */
  withoutRecord(before: Date): Promise<void>;
}

const slice = 200;

export function createDeleteFiles(deps: {
  models: Pick<FileModels, 'uploads'> & Pick<RecordModels, 'records'>;
  documents: KnowledgeModels['documents'];
  index: KnowledgeIndex;
  blobs: Blobs;
}): DeleteFiles {
  const { models, documents, index, blobs } = deps;
  const { uploads, records } = models;

  /**
   * Document first, so that it is no longer used for answers; then the upload, from which everything is
   * found; the content last.
   */
  async function forget({ _id, documentId, blob }: UploadDocument): Promise<void> {
    if (documentId !== null) {
      await documents.deleteOne({ _id: documentId });
      await index.remove(documentId);
    }
    await uploads.deleteOne({ _id });
    await blobs.release(blob, _id);
  }

  return {
    async ofRecords(recordIds) {
      for (const some of inSlices(recordIds, slice)) {
        for (const upload of await uploads.find({ recordId: { $in: some } }).lean()) await forget(upload);
      }
    },

    async ofOwner(owner) {
      for (;;) {
        const some = await uploads.find({ owner }).limit(slice).lean();
        if (some.length === 0) return;
        for (const upload of some) await forget(upload);
      }
    },

    async withoutRecord(before) {
      for await (const some of slicesById<UploadDocument>(uploads, slice)) {
        const old = some.filter(({ createdAt }) => createdAt < before);
        const found = await records
          .find({ _id: { $in: old.map(({ recordId }) => recordId) } }, { _id: 1 })
          .lean();
        const there = new Set(found.map(({ _id: id }) => id.toHexString()));
        for (const upload of old) if (!there.has(upload.recordId.toHexString())) await forget(upload);
      }
    },
  };
}
