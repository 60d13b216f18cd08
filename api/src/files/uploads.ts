import type { Types } from 'mongoose';
import type { OwnedCollection } from '../accounts/guests.ts';
import type { KnowledgeIndex } from '../answers/index/create-knowledge-index.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { HiddenRecords } from '../records/hidden-records.ts';
import type { RecordModels } from '../records/record-models.ts';
import { createBlobs, sweepBlobs } from './blobs.ts';
import { createDeleteFiles } from './delete-files.ts';
import type { FileModels } from './file-models.ts';
import { createReadFiles } from './read-files.ts';
import type { FileStore } from './storage/file-store.ts';
import { createStoreFile } from './store-file.ts';
import type { UploadDocument } from './upload.ts';

export type Uploads = ReturnType<typeof createUploads>;

export function createUploads(deps: {
  models: FileModels & Pick<RecordModels, 'records'>;
  documents: KnowledgeModels['documents'];
  index: KnowledgeIndex;
  files: FileStore;
  hidden: HiddenRecords;
}) {
  const { models, documents, files } = deps;
  const blobs = createBlobs(models.blobs, files);
  const deleteFiles = createDeleteFiles({ ...deps, blobs });

  async function existingOf(holders: string[]): Promise<Set<string>> {
    const these = { _id: { $in: holders } };
    const found = [
      ...(await models.uploads.find(these, { _id: 1 }).lean()),
      ...(await documents.find(these, { _id: 1 }).lean()),
    ];
    return new Set(found.map(({ _id }) => _id));
  }

  return {
    blobs,
    storeFile: createStoreFile({ ...deps, uploads: models.uploads, blobs }),
    readFiles: createReadFiles({ ...deps, blobs }),
    deleteFiles,
    hideFiles: createHideFiles(deps),
    owned: {
      updateMany: (filter, update) => models.uploads.updateMany(filter, update),
      deleteMany: ({ owner }) => deleteFiles.ofOwner(owner),
    } satisfies OwnedCollection,
    hasFiles: async (owner: string): Promise<boolean> => (await models.uploads.exists({ owner })) !== null,
    /** Size of all files of `owner`, in bytes. */
    async bytesKept(owner: string): Promise<number> {
      const [kept]: { bytes: number }[] = await models.uploads.aggregate([
        { $match: { owner } },
        { $group: { _id: null, bytes: { $sum: '$size' } } },
      ]);
      return kept?.bytes ?? 0;
    },
    /** Deletes what requests and processes interrupted before `before` left behind. */
    async sweep(before: Date): Promise<void> {
      await deleteFiles.withoutRecord(before);
      await sweepBlobs({ blobs: models.blobs, files, kept: blobs, existingOf }, before);
    },
  };
}

/**
 * Updates whether the owner's private documents are used for answers, according to whether their records are
 * deleted; only those of `recordIds` if given. Called after deleting and restoring.
 */
type HideFiles = (owner: string, recordIds?: readonly Types.ObjectId[]) => Promise<void>;

/** Uploads per read. */
const slice = 500;

type Linked = Pick<UploadDocument, 'recordId' | 'documentId'>;

function createHideFiles(deps: {
  models: Pick<FileModels, 'uploads'> & Pick<RecordModels, 'records'>;
  documents: KnowledgeModels['documents'];
  hidden: HiddenRecords;
}): HideFiles {
  const { models, documents, hidden } = deps;
  const { uploads, records } = models;

  return async (owner, recordIds) => {
    const ofRecords = recordIds ? { recordId: { $in: await withFirstVersions(owner, recordIds) } } : {};
    const found = uploads
      .find({ owner, ...ofRecords, documentId: { $ne: null } }, { recordId: 1, documentId: 1 })
      .sort({ createdAt: -1 })
      .lean()
      .cursor({ batchSize: slice });
    let some: Linked[] = [];
    for await (const upload of found) {
      some.push(upload);
      if (some.length < slice) continue;
      await hideSome(owner, some);
      some = [];
    }
    if (some.length > 0) await hideSome(owner, some);
  };

  async function hideSome(owner: string, some: readonly Linked[]): Promise<void> {
    const _id = { $in: some.map(({ recordId }) => recordId) };
    // An upload whose record does not exist yet is not changed.
    const put = await idsOf({ _id, owner });
    const visible = await hidden.visible(owner);
    const shown = await idsOf({ _id, ...visible });
    for (const id of await firstVersions({ 'versionOf.recordId': _id, ...visible }))
      shown.add(id.toHexString());
    const documentsOf = (isMeant: (recordId: string) => boolean) =>
      some.flatMap(({ recordId, documentId }) => (isMeant(recordId.toHexString()) ? (documentId ?? []) : []));
    const toHide = documentsOf((id) => put.has(id) && !shown.has(id));
    const toShow = documentsOf((id) => shown.has(id));
    await documents.updateMany({ _id: { $in: toHide }, hidden: { $ne: true } }, { $set: { hidden: true } });
    await documents.updateMany({ _id: { $in: toShow }, hidden: true }, { $set: { hidden: false } });
  }

  async function withFirstVersions(owner: string, ids: readonly Types.ObjectId[]) {
    const of = await firstVersions({ _id: { $in: ids }, owner, 'versionOf.recordId': { $exists: true } });
    return [...ids, ...of];
  }

  /** The first versions of the later versions that meet the condition. */
  async function firstVersions(condition: Record<string, unknown>): Promise<Types.ObjectId[]> {
    const found = await records.find(condition, { versionOf: 1 }).lean();
    return found.flatMap(({ versionOf }) => versionOf?.recordId ?? []);
  }

  async function idsOf(condition: Record<string, unknown>): Promise<Set<string>> {
    const found = await records.find(condition, { _id: 1 }).lean();
    return new Set(found.map(({ _id }) => _id.toHexString()));
  }
}
