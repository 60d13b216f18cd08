import { type Connection, Types } from 'mongoose';
import { type AccountModels, createAccountModels } from '../accounts/account-models.ts';
import { createFileModels, type FileModels } from '../files/file-models.ts';
import { createHandoverModel, type HandoverModel } from '../handover/handover.ts';
import { createUnansweredModel, type UnansweredModel } from '../knowledge/unanswered.ts';
import type { RecordDocument } from '../records/record.ts';
import { createRecordModels, type RecordModels } from '../records/record-models.ts';
import { recordTerms } from '../records/search/record-terms.ts';
import { createSettingsModels, type SettingsModels } from '../settings/desk-settings.ts';
import { createIndexes } from '../store/define-model.ts';
import { createJobModel, type JobModel } from '../store/jobs/jobs.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { removeTestData, testStoreConfig } from './test-database.ts';

export interface TestModels extends AccountModels, RecordModels, FileModels, SettingsModels {
  unanswered: UnansweredModel;
  handovers: HandoverModel;
  jobs: JobModel;
}

export function createTestModels(connection: Connection): TestModels {
  return {
    ...createAccountModels(connection),
    ...createRecordModels(connection),
    ...createFileModels(connection),
    unanswered: createUnansweredModel(connection),
    handovers: createHandoverModel(connection),
    ...createSettingsModels(connection),
    jobs: createJobModel(connection),
  };
}

export interface TestStore extends Store {
  models: TestModels;
}

/** The store of `config` with the collections of all domains except answers and compositions. */
export async function openTestStore(config: Parameters<typeof openStore>[0]): Promise<TestStore> {
  const store = await openStore(config);
  const models = createTestModels(store.connection);
  await createIndexes(models);
  return { ...store, models };
}

/** The same with separate data, which `end` removes. */
export async function openTestModels(): Promise<TestStore & { end(): Promise<void> }> {
  const dataDir = await temporaryFolder('desk-models');
  const store = await openTestStore(testStoreConfig(dataDir));
  return {
    ...store,
    async end() {
      await store.close();
      await removeTestData(dataDir);
    },
  };
}

/** A completed record with its terms. */
export function finishedRecord(fields: Partial<RecordDocument>): RecordDocument {
  const record: RecordDocument = {
    _id: new Types.ObjectId(),
    owner: 'user:1',
    conversationId: new Types.ObjectId(),
    contact: null,
    kind: 'chat',
    status: 'done',
    language: 'zh',
    question: '问题',
    answer: '回答',
    citations: [],
    source: 'document',
    isImage: false,
    url: '',
    imgUrls: [],
    files: [],
    feedback: null,
    suggestions: [],
    model: '',
    chosenModel: '',
    reasoning: '',
    answeredSince: null,
    isSummary: false,
    createdAt: new Date(),
    answeredAt: new Date(),
    erasedBy: null,
    lease: null,
    stopRequested: false,
    begun: true,
    statusBefore: null,
    ...fields,
  };
  return record.erasedBy ? record : { ...record, terms: recordTerms(record) };
}
