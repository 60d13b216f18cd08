import type { Types } from 'mongoose';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { HiddenRecords } from '../records/hidden-records.ts';
import type { RecordModels } from '../records/record-models.ts';
import type { FileModels } from './file-models.ts';
import type { UploadDocument } from './upload.ts';

/**
 * Updates whether the owner's private documents are used for answers, according to whether their records are
 * erased; only those of `recordIds` if given. Called after erasing and restoring.
 */
export type HideFiles = (owner: string, recordIds?: readonly Types.ObjectId[]) => Promise<void>;

/** Uploads per read. */
const slice = 500;

type Linked = Pick<UploadDocument, 'recordId' | 'documentId'>;

export function createHideFiles(deps: {
  models: Pick<FileModels, 'uploads'> & Pick<RecordModels, 'records'>;
  documents: KnowledgeModels['documents'];
  hidden: HiddenRecords;
}): HideFiles {
  const { models, documents, hidden } = deps;
  const { uploads, records } = models;

  return async (owner, recordIds) => {
    const ofRecords = recordIds ? { recordId: { $in: recordIds } } : {};
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
    const shown = await idsOf({ _id, ...(await hidden.visible(owner)) });
    const documentsOf = (isMeant: (recordId: string) => boolean) =>
      some.flatMap(({ recordId, documentId }) => (isMeant(recordId.toHexString()) ? (documentId ?? []) : []));
    const toHide = documentsOf((id) => put.has(id) && !shown.has(id));
    const toShow = documentsOf((id) => shown.has(id));
    await documents.updateMany({ _id: { $in: toHide }, hidden: { $ne: true } }, { $set: { hidden: true } });
    await documents.updateMany({ _id: { $in: toShow }, hidden: true }, { $set: { hidden: false } });
  }

  async function idsOf(condition: Record<string, unknown>): Promise<Set<string>> {
    const found = await records.find(condition, { _id: 1 }).lean();
    return new Set(found.map(({ _id }) => _id.toHexString()));
  }
}
