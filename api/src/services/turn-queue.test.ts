import { describe, expect, test } from '@jest/globals';
import { createTurnQueue } from './turn-queue.ts';

/** Work that ends when the test says so. */
function work() {
  let end: () => void = () => undefined;
  let isStarted = false;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end,
    get isStarted() {
      return isStarted;
    },
    do: async () => {
      isStarted = true;
      await done;
    },
  };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a queue of turns', () => {
  test('does so much at once, and the next in the order they came', async () => {
    const queue = createTurnQueue({ most: 1, mostWaiting: 5 });
    const { signal } = new AbortController();
    const [first, second, third] = [work(), work(), work()];
    const all = [first, second, third].map((one) => queue.run(signal, one.do));
    await turn();
    expect([first, second, third].map(({ isStarted }) => isStarted)).toEqual([true, false, false]);

    first.end();
    await all[0];
    await turn();
    expect([second.isStarted, third.isStarted]).toEqual([true, false]);
    second.end();
    third.end();
    await Promise.all(all);
  });

  test('turns away what would wait too long, and takes more once there is room', async () => {
    const queue = createTurnQueue({ most: 1, mostWaiting: 1, retryAfter: 10 });
    const { signal } = new AbortController();
    const [running, waiting] = [work(), work()];
    const both = [queue.run(signal, running.do), queue.run(signal, waiting.do)];

    await expect(queue.run(signal, async () => 'late')).rejects.toMatchObject({
      error: 'unavailable',
      details: { retryAfter: 10 },
    });
    running.end();
    waiting.end();
    await Promise.all(both);
    await expect(queue.run(signal, async () => 'now')).resolves.toBe('now');
  });

  test('forgets who leaves while waiting, and goes on after a failure', async () => {
    const queue = createTurnQueue({ most: 1, mostWaiting: 1, retryAfter: 10 });
    const left = new AbortController();
    const running = work();
    const failing = queue.run(new AbortController().signal, async () => {
      await running.do();
      throw new Error('broken');
    });
    const waiting = work();
    const gone = queue.run(left.signal, waiting.do);
    left.abort();
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });

    const next = queue.run(new AbortController().signal, async () => 'next');
    running.end();
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('next');
    expect(waiting.isStarted).toBe(false);
  });
});
