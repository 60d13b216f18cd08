import { jest, test } from '@jest/globals';
import { killDuringIndexing } from './kill-during-indexing.ts';

// Thousands of passages are written, twice and more, on a machine that is busy with other things.
jest.setTimeout(600_000);

test('a document of 5,000 sections is indexed to its end, and deleted to its end, however often the desk is killed at it', async () => {
  await killDuringIndexing({ sections: 5000, killsAt: [0.1, 0.5] });
});
