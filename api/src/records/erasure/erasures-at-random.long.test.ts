import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, jest, test } from '@jest/globals';
import { eraseAtRandom } from '../../testing/erase-at-random.ts';
import { openTestStore, type TestStore } from '../../testing/open-test-models.ts';
import { removeTestData, testStoreConfig } from '../../testing/test-database.ts';

// Hundreds of deletions, on a busy machine.
jest.setTimeout(600_000);

const firstSeed = Number(process.env.TEST_SEED ?? 20261121);

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

test.each(Array.from({ length: 20 }, (_, round) => firstSeed + round))(
  'many deletions, undos and purges leave what a plain list says, also unfinished ones (seed %i)',
  (seed) => eraseAtRandom(store, seed, 25),
);
