import { rm } from 'node:fs/promises';
import { afterAll } from '@jest/globals';
import { openEmbeddedStore } from 'embedded-store/open-embedded-store.ts';
import mongoose from 'mongoose';
import { createIndexes } from '../store/define-model.ts';
import { createTestModels } from './open-test-models.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * An embedded store of one file of tests, with the models of `openTestModels`. `readBy` returns how many index entries and documents
 * the store reads for some work.
 */
export async function openCountedStore() {
  const dataDir = await temporaryFolder('desk-reads');
  const store = await openEmbeddedStore({ dataDir });
  const connection = await mongoose
    .createConnection(store.uri, { autoIndex: false, autoCreate: false })
    .asPromise();
  const models = createTestModels(connection);
  await createIndexes(models);
  afterAll(async () => {
    await connection.close();
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  return {
    models,
    async readBy(work: () => Promise<unknown>) {
      const before = await store.readCounts();
      await work();
      const after = await store.readCounts();
      return { entries: after.entries - before.entries, rows: after.rows - before.rows };
    },
  };
}
