import { afterAll, test } from '@jest/globals';
import { deleteAtRandom } from '../../testing/delete-at-random.ts';
import { openTestModels } from '../../testing/open-test-models.ts';

const store = await openTestModels();
afterAll(() => store.end());

test.each([20_261_121, 20_261_122])(
  'random deletions, undos and purges match a simple in-memory model, also unfinished ones (seed %i)',
  (seed) => deleteAtRandom(store, seed, 16),
);
