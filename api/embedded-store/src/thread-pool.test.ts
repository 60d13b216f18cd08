import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { createThreadPool } from './thread-pool.ts';

test('a thread that is put back serves the next caller; callers at the same time have threads of their own', async () => {
  const pool = createThreadPool(new URL(`data:text/javascript,${encodeURIComponent(ENDS_ON_MESSAGE)}`));
  const [first, second] = [pool.take(), pool.take()];
  expect(second).not.toBe(first);
  pool.putBack(first);
  expect(pool.take()).toBe(first);
  for (const thread of [first, second]) {
    thread.postMessage('end');
    await once(thread, 'exit');
  }
});

const ENDS_ON_MESSAGE = `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => process.exit());`;
