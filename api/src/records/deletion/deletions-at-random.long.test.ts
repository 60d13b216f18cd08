import { afterAll, test } from '@jest/globals';
import { deleteAtRandom } from '../../testing/delete-at-random.ts';
import { openTestModels } from '../../testing/open-test-models.ts';

const firstSeed = Number(process.env.TEST_SEED ?? 20261121);

const store = await openTestModels();
afterAll(() => store.end());

test.each(Array.from({ length: 20 }, (_, round) => firstSeed + round))(
  'many deletions, undos and purges leave what a plain list says, also unfinished ones (seed %i)',
  (seed) => deleteAtRandom(store, seed, 25),
);
