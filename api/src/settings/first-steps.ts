import type { Types } from 'mongoose';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { FirstSteps } from '../contract/settings.ts';
import type { RecordModel } from '../records/record.ts';
import type { DeskSettingsStore } from './desk-settings.ts';

/** The setup steps that the administrator of a new desk has completed, derived from the stored data. */
export function createReadFirstSteps(models: {
  documents: KnowledgeModels['documents'];
  records: RecordModel;
  settings: Pick<DeskSettingsStore, 'current'>;
}): (user: { _id: Types.ObjectId }) => Promise<FirstSteps> {
  const { documents, records, settings } = models;
  return async ({ _id }) => {
    const [document, question, current] = await Promise.all([
      documents.exists({ owner: '', source: 'upload' }),
      records.exists({ owner: `user:${_id.toHexString()}`, erasedBy: null }),
      settings.current(),
    ]);
    const texts = Object.values(current.settings.texts);
    return {
      document: document !== null,
      question: question !== null,
      named: texts.some(({ name, hours }) => name !== '' && hours !== ''),
    };
  };
}
