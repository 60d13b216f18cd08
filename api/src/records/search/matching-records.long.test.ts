import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, jest, test } from '@jest/globals';
import { openTestStore, type TestStore } from '../../testing/open-test-models.ts';
import { insertRecords, randomRecords, searchAtRandom, seed } from '../../testing/search-at-random.ts';
import { removeTestData, testStoreConfig } from '../../testing/test-database.ts';
import { createContacts } from '../contacts.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import { createMatchingRecords, type MatchingRecords } from './matching-records.ts';

const searches = Number(process.env.TEST_SEARCHES ?? 1000);
// On a busy machine each search takes its time.
jest.setTimeout(60_000 + searches * 300);

let dataDir: string;
let store: TestStore;
let matching: MatchingRecords;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'desk-matching-'));
  store = await openTestStore(testStoreConfig(dataDir));
  const hidden = createHiddenRecords(store.models.erasures);
  const contacts = createContacts(store.models, hidden);
  matching = createMatchingRecords({ records: store.models.records, contacts, hidden });
});
afterAll(async () => {
  await store.close();
  await removeTestData(dataDir);
});

test(`many searches find what a full scan of the same records finds, page by page (seed ${seed})`, async () => {
  const all = randomRecords(2400);
  await insertRecords(store.models, all);
  await searchAtRandom(matching, all, searches);
});
