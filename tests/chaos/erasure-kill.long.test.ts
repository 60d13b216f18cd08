import { jest, test } from '@jest/globals';
import { killDuringErasure } from './kill-during-erasure.ts';

// 20,000 records are written, marked, and come back, on a machine that is busy with other things.
jest.setTimeout(900_000);

test('two kills -9 in the middle of a deletion of 20,000 show nothing of it again, and undo restores exactly all', async () => {
  await killDuringErasure({ gone: 20_000, kept: 200, kills: 2 });
});
