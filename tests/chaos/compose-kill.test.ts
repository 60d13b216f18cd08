import { jest, test } from '@jest/globals';
import { killBetweenMoves } from './kill-between-moves.ts';

jest.setTimeout(120_000);

test('a kill -9 between moves leaves no move out of the history, and the other process continues', () =>
  killBetweenMoves([4]));
