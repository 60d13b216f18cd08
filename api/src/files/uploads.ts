import type { OwnedCollection } from '../accounts/owned-data.ts';
import type { KnowledgeIndex } from '../answers/knowledge-index.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { HiddenRecords } from '../records/hidden-records.ts';
import type { RecordModels } from '../records/record-models.ts';
import { type Blobs, createBlobs } from './blobs.ts';
import { createDeleteFiles, type DeleteFiles } from './delete-files.ts';
import type { FileModels } from './file-models.ts';
import { createHideFiles, type HideFiles } from './hide-files.ts';
import { createReadFiles, type ReadFiles } from './read-files.ts';
import type { FileStore } from './storage/file-store.ts';
import { createStoreFile, type StoreFile } from './store-file.ts';
import { sweepBlobs } from './sweep-blobs.ts';

/** The wired services for files of records. */
export interface Uploads {
  blobs: Blobs;
  storeFile: StoreFile;
  readFiles: ReadFiles;
  deleteFiles: DeleteFiles;
  hideFiles: HideFiles;
  /** The uploads of an owner. */
  owned: OwnedCollection;
  hasFiles(owner: string): Promise<boolean>;
  /** Size of all files of `owner`, in bytes. */
  bytesKept(owner: string): Promise<number>;
  /** Deletes what requests and processes interrupted before `before` left behind. */
  sweep(before: Date): Promise<void>;
}

export function createUploads(deps: {
  models: FileModels & Pick<RecordModels, 'records'>;
  documents: KnowledgeModels['documents'];
  index: KnowledgeIndex;
  files: FileStore;
  hidden: HiddenRecords;
}): Uploads {
  const { models, documents, files } = deps;
  const blobs = createBlobs(models.blobs, files);
  const deleteFiles = createDeleteFiles({ ...deps, blobs });

  async function thereOf(holders: string[]): Promise<Set<string>> {
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
    },
    hasFiles: async (owner) => (await models.uploads.exists({ owner })) !== null,
    async bytesKept(owner) {
      const [kept]: { bytes: number }[] = await models.uploads.aggregate([
        { $match: { owner } },
        { $group: { _id: null, bytes: { $sum: '$size' } } },
      ]);
      return kept?.bytes ?? 0;
    },
    async sweep(before) {
      await deleteFiles.withoutRecord(before);
      await sweepBlobs({ blobs: models.blobs, files, kept: blobs, thereOf }, before);
    },
  };
}
