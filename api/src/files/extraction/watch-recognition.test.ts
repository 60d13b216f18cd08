import { describe, expect, test } from '@jest/globals';
import { watchRecognition } from './start-reader.ts';

/** Whether recognition is abandoned after this many seconds at this speed in percent per second. */
function givesUp(percentASecond: number, seconds: number): boolean {
  let clock = 0;
  const isTooSlow = watchRecognition(55_000, () => clock);
  let said = false;
  for (let second = 0; second <= seconds; second += 1) {
    clock = second * 1000;
    said = isTooSlow(second * percentASecond);
  }
  return said;
}

describe('text recognition of an image', () => {
  test('continues at a low speed, as on a busy machine', () => {
    expect(givesUp(1, 50)).toBe(false);
  });

  test('is abandoned if it would take minutes', () => {
    expect(givesUp(0.2, 9)).toBe(true);
  });

  test('is not abandoned before there is enough progress to judge', () => {
    expect(givesUp(0, 7)).toBe(false);
  });
});
