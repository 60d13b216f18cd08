import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { FindIncompleteSources } from '../records/record-list.ts';
import type { UploadModel } from './upload.ts';

/** First the files of the question, then the cited documents. */
export function createFindIncompleteSources({
  models: { documents, passages },
  uploads,
}: {
  models: Pick<KnowledgeModels, 'documents' | 'passages'>;
  uploads: UploadModel;
}): FindIncompleteSources {
  return async ({ owner, citations, files }) => {
    const uploaded = await uploads
      .find({ _id: { $in: files.map(({ id }) => id) } }, { documentId: 1 })
      .lean();
    const ofFiles = new Set(uploaded.map(({ documentId }) => documentId));
    const ids = citations.map(({ href }) => decodeURIComponent(href.slice(href.lastIndexOf('/') + 1)));
    const cited = await passages.find({ _id: { $in: ids } }, { documentId: 1 }).lean();
    const documentOf = new Map(cited.map(({ _id, documentId }) => [_id, documentId]));
    const documentIds = new Set(ids.flatMap((id) => documentOf.get(id) ?? []));
    const found = await documents
      .find(
        { _id: { $in: [...documentIds] }, owner: { $in: ['', owner] }, deletedAt: null },
        { title: 1, notices: 1 },
      )
      .lean();
    const byId = new Map(found.map((document) => [document._id, document]));
    return [
      ...files.map(({ name, notices }) => ({ title: name, notices: notices ?? [] })),
      ...[...documentIds].flatMap((id) => {
        const document = ofFiles.has(id) ? undefined : byId.get(id);
        return document ? [{ title: document.title, notices: document.notices ?? [] }] : [];
      }),
    ].filter(({ notices }) => notices.length > 0);
  };
}
