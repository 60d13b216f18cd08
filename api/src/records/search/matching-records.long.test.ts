import { afterAll, jest, test } from '@jest/globals';
import { openTestModels } from '../../testing/open-test-models.ts';
import { insertRecords, randomRecords, searchAtRandom, seed } from '../../testing/search-at-random.ts';
import { createContacts } from '../contacts.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import { createMatchingRecords } from './matching-records.ts';

const searches = Number(process.env.TEST_SEARCHES ?? 1000);
// On a busy machine each search takes its time.
jest.setTimeout(60_000 + searches * 300);

const store = await openTestModels();
const hidden = createHiddenRecords(store.models.deletions);
const contacts = createContacts(store.models, hidden);
const matching = createMatchingRecords({ records: store.models.records, contacts, hidden });
afterAll(() => store.end());

test(`many searches find what a full scan of the same records finds, page by page (seed ${seed})`, async () => {
  const all = randomRecords(2400);
  await insertRecords(store.models, all);
  await searchAtRandom(matching, all, searches);
});
