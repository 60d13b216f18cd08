import type { Types } from 'mongoose';
import type { KnowledgeIndex } from '../answers/index/create-knowledge-index.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { firstVersionOf, type RecordDocument } from '../records/record.ts';
import type { RecordModels } from '../records/record-models.ts';
import { inSlices, slicesById } from '../store/in-slices.ts';
import type { Blobs } from './blobs.ts';
import type { FileModels } from './file-models.ts';
import type { UploadDocument } from './upload.ts';

const slice = 200;

export type DeleteFiles = ReturnType<typeof createDeleteFiles>;

/** Deletes content without other holders, texts and passages for good. Each step can be repeated. */
export function createDeleteFiles(deps: {
  models: Pick<FileModels, 'uploads'> & Pick<RecordModels, 'records'>;
  documents: KnowledgeModels['documents'];
  index: KnowledgeIndex;
  blobs: Blobs;
}) {
  const { models, documents, index, blobs } = deps;
  const { uploads, records } = models;

  /** First the document, so that answers do not use it; then the upload, which names the rest. */
  async function forget({ _id, documentId, blob }: UploadDocument): Promise<void> {
    if (documentId !== null) {
      await documents.deleteOne({ _id: documentId });
      await index.remove(documentId);
    }
    await uploads.deleteOne({ _id });
    await blobs.release(blob, _id);
  }

  /** First versions of these questions, except where a version remains that is not among them. */
  async function withoutVersions(some: readonly Types.ObjectId[]): Promise<Types.ObjectId[]> {
    const purged = await records
      .find({ _id: { $in: some } }, { owner: 1, versionOf: 1, erasedBy: 1 })
      .lean<Pick<RecordDocument, '_id' | 'owner' | 'versionOf' | 'erasedBy'>[]>();
    const firsts = new Map(
      [...some.map((_id) => ({ _id })), ...purged].map((one) => {
        const first = firstVersionOf(one);
        return [first.toHexString(), first];
      }),
    );
    const deletions = purged.flatMap(({ erasedBy }) => erasedBy ?? []);
    const owners = new Set(purged.map(({ owner }) => owner));
    for (const owner of owners) {
      const remaining = { owner, _id: { $nin: some }, erasedBy: { $nin: deletions } };
      const of = { $in: [...firsts.values()] };
      const later = await records.find({ ...remaining, 'versionOf.recordId': of }, { versionOf: 1 }).lean();
      const first = await records
        .find({ $and: [remaining, { _id: of }] }, { versionOf: 1 })
        .lean<Pick<RecordDocument, '_id' | 'versionOf'>[]>();
      for (const one of [...later, ...first]) firsts.delete(firstVersionOf(one).toHexString());
    }
    return [...firsts.values()];
  }

  return {
    /** Call it while the records still exist. The files of a question stay while another version of it does. */
    async ofRecords(recordIds: readonly Types.ObjectId[]): Promise<void> {
      for (const some of inSlices(recordIds, slice)) {
        for (const upload of await uploads.find({ recordId: { $in: await withoutVersions(some) } }).lean())
          await forget(upload);
      }
    },

    /** Everything of an owner. */
    async ofOwner(owner: string): Promise<void> {
      for (;;) {
        const some = await uploads.find({ owner }).limit(slice).lean();
        if (some.length === 0) return;
        for (const upload of some) await forget(upload);
      }
    },

    /** Uploads older than `before` without a record: their request was interrupted. */
    async withoutRecord(before: Date): Promise<void> {
      for await (const some of slicesById<UploadDocument>(uploads, slice)) {
        const old = some.filter(({ createdAt }) => createdAt < before);
        const found = await records
          .find({ _id: { $in: old.map(({ recordId }) => recordId) } }, { _id: 1 })
          .lean();
        const there = new Set(found.map(({ _id: id }) => id.toHexString()));
        for (const [owner, missing] of Map.groupBy(
          old.filter(({ recordId }) => !there.has(recordId.toHexString())),
          (upload) => upload.owner,
        )) {
          const of = { $in: missing.map(({ recordId }) => recordId) };
          const later = await records.find({ owner, 'versionOf.recordId': of }, { versionOf: 1 }).lean();
          for (const one of later) there.add(firstVersionOf(one).toHexString());
        }
        for (const upload of old) if (!there.has(upload.recordId.toHexString())) await forget(upload);
      }
    },
  };
}
