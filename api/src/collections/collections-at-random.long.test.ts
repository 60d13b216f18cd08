import { afterEach, expect, jest, test } from '@jest/globals';
import { readAtRandom } from '../testing/read-at-random.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';

jest.setTimeout(3_600_000);

let api: TestApi | undefined;
afterEach(() => api?.end());

test.each([1, 2, 3, 4, 20_261_129])(
  'nobody sees knowledge that the rules do not allow, 2,000 cases (seed %i)',
  async (seed) => {
    api = await startTestApi({ config: { handbook: false } });
    const { shown } = await readAtRandom(api, seed, 2000);
    expect(shown).toBeGreaterThan(200);
  },
);
