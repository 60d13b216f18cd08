import { getEventListeners } from 'node:events';
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

describe('a turn queue', () => {
  test('runs a limited number concurrently, and the next ones in order', async () => {
    const queue = createTurnQueue({ max: 1, maxWaiting: 5 });
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

  test('refuses work beyond the limit of waiting work, and accepts more once there is room', async () => {
    const queue = createTurnQueue({ max: 1, maxWaiting: 1, retryAfter: 10 });
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

  test('drops aborted waiting work, and continues after a failure', async () => {
    const queue = createTurnQueue({ max: 1, maxWaiting: 1, retryAfter: 10 });
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

  test('alternates between callers: one with much work delays the next one by one turn', async () => {
    const queue = createTurnQueue({ max: 1 });
    const { signal } = new AbortController();
    const order: string[] = [];
    const run = (caller: string, name: string) =>
      queue.run(
        signal,
        async () => {
          order.push(name);
          await turn();
        },
        caller,
      );
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => run(name[0]!, name));
    await Promise.all(all);
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  test('leaves no listener on the signal of work that waited', async () => {
    const queue = createTurnQueue({ max: 1 });
    const { signal } = new AbortController();
    const first = work();
    const all = [queue.run(signal, first.do), queue.run(signal, async () => {})];
    await turn();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    first.end();
    await Promise.all(all);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('leaves a slot to others, however much work one caller has', async () => {
    const queue = createTurnQueue({ max: 2, maxOfCaller: 1 });
    const { signal } = new AbortController();
    const mine = [work(), work()];
    const other = work();
    const all = [...mine.map((one) => queue.run(signal, one.do, 'a')), queue.run(signal, other.do, 'b')];
    await turn();
    expect([mine[0]!.isStarted, mine[1]!.isStarted, other.isStarted]).toEqual([true, false, true]);
    for (const one of [...mine, other]) one.end();
    await Promise.all(all);
  });

  test('refuses only the caller whose share of waiting work is used up', async () => {
    const queue = createTurnQueue({ max: 1, maxWaiting: 3, maxWaitingOfCaller: 1, retryAfter: 5 });
    const { signal } = new AbortController();
    const running = work();
    const first = [queue.run(signal, running.do, 'a'), queue.run(signal, async () => {}, 'a')];
    await expect(queue.run(signal, async () => {}, 'a')).rejects.toMatchObject({
      error: 'rate_limited',
      details: { retryAfter: 5 },
    });
    const others = ['b', 'c'].map((caller) => queue.run(signal, async () => {}, caller));
    await expect(queue.run(signal, async () => {}, 'd')).rejects.toMatchObject({ error: 'unavailable' });
    running.end();
    await Promise.all([...first, ...others]);
  });
});
