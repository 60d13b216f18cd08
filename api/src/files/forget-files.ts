import type { Types } from 'mongoose';
import type { KnowledgeIndex } from '../answers/knowledge-index.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { RecordModels } from '../records/record-models.ts';
import { inSlices } from '../store/in-slices.ts';
import type { Blobs } from './blobs.ts';
import type { FileModels } from './file-models.ts';
import type { UploadDocument } from './upload.ts';

/** Takes files away for good: bytes that nobody else has, texts, passages. Everything can be done again from wherever it was cut short. */
export interface ForgetFiles {
  ofRecords(recordIds: readonly Types.ObjectId[]): Promise<void>;
  /** Everything of an owner. */
  ofOwner(owner: string): Promise<void>;
  /** Whatever was uploaded before `before` and has no record: its call was cut off before it put one. */
  withoutRecord(before: Date): Promise<void>;
}

const slice = 200;

export function createForgetFiles(deps: {
  models: Pick<FileModels, 'uploads'> & Pick<RecordModels, 'records'>;
  documents: KnowledgeModels['documents'];
  index: KnowledgeIndex;
  blobs: Blobs;
}): ForgetFiles {
  const { models, documents, index, blobs } = deps;
  const { uploads, records } = models;

  /** The document first, so that nothing is answered from it; the upload, by which all of it is found, last but the bytes. */
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
      for (let behind = ''; ; ) {
        const some = await uploads
          .find({ _id: { $gt: behind } })
          .sort({ _id: 1 })
          .limit(slice)
          .lean();
        const last = some.at(-1);
        if (!last) return;
        behind = last._id;
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
