import { expect, test } from '@jest/globals';
import { createInTurn } from './in-turn.ts';

const never = new AbortController().signal;

test('so many at once, the others in the order they came, and a failure hands its turn on', async () => {
  const inTurn = createInTurn(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const ask = (one: number) =>
    inTurn(async () => {
      begun.push(one);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (one === 0) throw new Error('broken');
      return one;
    }, never);
  const asked = [0, 1, 2, 3].map(ask);
  const first = expect(asked[0]).rejects.toThrow('broken');
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);

  ends[0]!();
  await first;
  expect(begun).toEqual([0, 1, 2]);

  ends[1]!();
  await asked[1];
  expect(begun).toEqual([0, 1, 2, 3]);
  for (const end of ends) end();
  await expect(Promise.all(asked.slice(1))).resolves.toEqual([1, 2, 3]);
});

test('who leaves while waiting is not begun, and takes no turn away', async () => {
  const inTurn = createInTurn(1);
  const leaving = new AbortController();
  let end = () => {};
  const first = inTurn(() => new Promise<void>((resolve) => (end = resolve)), never);
  const left = inTurn(() => Promise.reject(new Error('begun')), leaving.signal);
  const last = inTurn(async () => 'last', never);

  leaving.abort();

  await expect(left).resolves.toBeNull();
  end();
  await first;
  await expect(last).resolves.toBe('last');
  await expect(inTurn(() => Promise.reject(new Error('begun')), leaving.signal)).resolves.toBeNull();
});
