import { expect, test } from '@jest/globals';
import { createRecordModels } from '../records/record-models.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { removeTestData, testStoreConfig } from '../testing/test-database.ts';
import { createIndexes } from './define-model.ts';
import { openStore } from './open-store.ts';

test('all indexes of a collection are created with one command, which every start sends', async () => {
  const dataDir = await temporaryFolder('desk-indexes');
  const sent: string[] = [];
  const store = await openStore(testStoreConfig(dataDir), undefined, { command: (name) => sent.push(name) });
  const models = createRecordModels(store.connection);
  const indexed = Object.values(models).filter(({ schema }) => schema.indexes().length > 0);
  await createIndexes(models);
  await createIndexes(models);
  expect(sent.filter((name) => name === 'createIndexes')).toHaveLength(2 * indexed.length);
  for (const { collection, schema } of indexed)
    expect(await collection.indexes()).toHaveLength(1 + schema.indexes().length);
  await store.close();
  await removeTestData(dataDir);
});
