import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { drainBody } from './read-body.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const settle = async () => {
  for (let count = 0; count < 5; count += 1) await Promise.resolve();
};

/** A request whose handler has answered without reading the body. */
async function answer() {
  const nothing = () => undefined;
  const req = Object.assign(new EventEmitter(), {
    ...{ complete: false, destroyed: false },
    ...{ pause: nothing, resume: nothing, destroy: nothing },
  });
  let isOver = false;
  const headers: string[] = [];
  const set = (name: string, value: string) => headers.push(`${name}: ${value}`);
  const ctx = { req, res: new EventEmitter(), set } as unknown as Parameters<ReturnType<typeof drainBody>>[0];
  void Promise.resolve(drainBody()(ctx, async () => undefined)).then(() => {
    isOver = true;
  });
  await settle();
  return {
    headers,
    isOver: () => isOver,
    /** A piece of the body arrives after a pause. */
    async piece(afterMs: number) {
      jest.advanceTimersByTime(afterMs);
      await settle();
      req.emit('data', Buffer.alloc(10));
    },
    async end() {
      req.complete = true;
      req.emit('end');
      await settle();
    },
  };
}

test('waits for a body that arrives slowly', async () => {
  const { piece, end, isOver, headers } = await answer();
  for (let count = 0; count < 4; count += 1) await piece(1500);
  expect(isOver()).toBe(false);
  await end();
  expect([isOver(), headers]).toEqual([true, []]);
});

test.each([
  ['stops for 2 s', [1500, 2000]],
  ['does not end within 10 s', Array.from({ length: 7 }, () => 1500)],
])('disconnects a client whose body %s', async (_, pauses) => {
  const { piece, isOver, headers } = await answer();
  for (const pause of pauses) await piece(pause);
  expect([isOver(), headers]).toEqual([true, ['Connection: close']]);
});
