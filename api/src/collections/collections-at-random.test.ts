import { afterEach, expect, jest, test } from '@jest/globals';
import { readAtRandom } from '../testing/read-at-random.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';

jest.setTimeout(300_000);

let api: TestApi | undefined;
afterEach(() => api?.end());

// More seeds and cases: collections-at-random.long.test.ts.
test('nobody sees knowledge that the rules do not allow', async () => {
  api = await startTestApi({ config: { handbook: false } });
  const { shown } = await readAtRandom(api, 20_261_128, 150);
  expect(shown).toBeGreaterThan(20);
});
