import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, jest, test } from '@jest/globals';
import { eraseAtRandom } from '../../testing/erase-at-random.ts';
import { openTestStore, type TestStore } from '../../testing/open-test-models.ts';
import { removeTestData, testStoreConfig } from '../../testing/test-database.ts';

jest.setTimeout(120_000);

let dataDir: string;
let store: TestStore;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'desk-erasures-random-'));
  store = await openTestStore(testStoreConfig(dataDir));
});
afterAll(async () => {
  await store.close();
  await removeTestData(dataDir);
});

test.each([20_261_121, 20_261_122])(
  'random deletions, undos and purges match a simple in-memory model, also unfinished ones (seed %i)',
  (seed) => eraseAtRandom(store, seed, 12),
);
