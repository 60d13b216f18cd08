import { afterAll, expect, test } from '@jest/globals';
import { openTestExtractor } from '../../testing/extract-bytes.ts';
import { readRandomFiles } from '../../testing/read-random-files.ts';

const extractor = await openTestExtractor({ limits: { maxPages: 60, maxTime: 20_000 } });
afterAll(() => extractor.close());

test.each([20_261_121, 20_261_122, 20_261_123])(
  'thousands of random bytes and beginnings of audio files result in a text or a known error (seed %i)',
  async (seed) => {
    expect(await readRandomFiles(extractor, { seed, rounds: 1000 })).toEqual([]);
  },
);
