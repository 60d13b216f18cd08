import { describe, expect, test } from '@jest/globals';
import { watchPace } from './watch-pace.ts';

/** Whether it is given up at the end of this many seconds, at so many per cent a second. */
function givesUp(percentASecond: number, seconds: number): boolean {
  let clock = 0;
  const isHopeless = watchPace(55_000, () => clock);
  let said = false;
  for (let second = 0; second <= seconds; second += 1) {
    clock = second * 1000;
    said = isHopeless(second * percentASecond);
  }
  return said;
}

describe('words in an image', () => {
  test('are waited for when they come slowly, as on a busy machine', () => {
    expect(givesUp(1, 50)).toBe(false);
  });

  test('are given up when they would take minutes', () => {
    expect(givesUp(0.2, 9)).toBe(true);
  });

  test('are not given up before there is something to judge by', () => {
    expect(givesUp(0, 7)).toBe(false);
  });
});
