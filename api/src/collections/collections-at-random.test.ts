import { afterEach, expect, jest, test } from '@jest/globals';
import { readAtRandom } from '../testing/read-at-random.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';

jest.setTimeout(300_000);

let api: TestApi | undefined;
afterEach(() => api?.end());

test.each([20_261_128, 20_261_129])(
  'nobody sees knowledge that the rules do not allow (seed %i)',
  async (seed) => {
    api = await startTestApi({ config: { handbook: false } });
    const { shown } = await readAtRandom(api, seed, 150);
    expect(shown).toBeGreaterThan(20);
  },
);
