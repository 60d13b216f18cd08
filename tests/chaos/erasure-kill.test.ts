import { jest, test } from '@jest/globals';
import { killDuringErasure } from './kill-during-erasure.ts';

jest.setTimeout(120_000);

test('a kill -9 in the middle of a deletion shows nothing of it again, and undo restores exactly all', async () => {
  await killDuringErasure({ gone: 500, kept: 15, kills: 1 });
});
