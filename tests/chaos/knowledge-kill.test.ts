import { jest, test } from '@jest/globals';
import { killDuringIndexing } from './kill-during-indexing.ts';

jest.setTimeout(120_000);

test('a document is indexed to its end, and deleted to its end, when the desk is killed at it', async () => {
  await killDuringIndexing({ sections: 600, killsAt: [0.3] });
});
