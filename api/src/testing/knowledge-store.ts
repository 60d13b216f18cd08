import mongoose from 'mongoose';
import { createKnowledgeModels, type KnowledgeModels } from '../answers/knowledge-models.ts';
import { createIndexes } from '../store/define-model.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openTestDatabase, removeTestData } from './test-database.ts';

export interface KnowledgeStore {
  models: KnowledgeModels;
  end(): Promise<void>;
}

/** The knowledge models on a separate store, with their indexes. */
export async function openKnowledgeStore(): Promise<KnowledgeStore> {
  const dataDir = await temporaryFolder('desk-knowledge');
  const store = await openTestDatabase(dataDir);
  const serverApi = { version: '1', strict: true, deprecationErrors: true } as const;
  const connection = await mongoose.createConnection(store.uri, { serverApi }).asPromise();
  const models = createKnowledgeModels(connection);
  await createIndexes(models);
  return {
    models,
    async end() {
      await connection.close();
      await store.close();
      await removeTestData(dataDir);
    },
  };
}
