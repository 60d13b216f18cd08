import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Types } from 'mongoose';
import type { RecordDocument } from '../records/record.ts';
import { recordTerms } from '../records/search/record-terms.ts';
import type { Models } from '../store/models.ts';
import { openStore } from '../store/open-store.ts';
import { removeTestData, testStoreConfig } from './test-database.ts';

/** The desk's collections on a real store with data of its own. */
export async function openTestModels(): Promise<{ models: Models; end(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'desk-models-'));
  const store = await openStore(testStoreConfig(dataDir));
  return {
    models: store.models,
    async end() {
      await store.close();
      await removeTestData(dataDir);
    },
  };
}

/** A finished record with its terms. */
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
