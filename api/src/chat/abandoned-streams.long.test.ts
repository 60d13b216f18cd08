import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from '@jest/globals';
import { createScriptedAnswerer, echo } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { until } from '../testing/until.ts';

/** Abandoned between two measurements. The first round fills caches and compiles code. */
const ROUND = 1_250;
const AT_ONCE = 25;
/** A leaked answer would be several KB: its text, reader and closures. In bytes. */
const MOST_PER_STREAM = 600;

let open = 0;

const answerer = createScriptedAnswerer(async function* (question) {
  open += 1;
  try {
    yield* echo(question);
  } finally {
    open -= 1;
  }
});
const asked = answerer.asked;
const api = await startTestApi({ answerer });
afterAll(() => api.close());

/** Bytes of the heap in use after a complete collection, without what the scripted answerer remembers. */
function heapInUse(): number {
  asked.length = 0;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** Asks as a new guest and leaves after the first event. */
async function abandon(at: number): Promise<void> {
  const leaving = new AbortController();
  const response = await fetch(`${api.url}/api/chat`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ text: `question ${at} `.repeat(40) }),
    signal: leaving.signal,
  });
  expect(response.status).toBe(200);
  await response.body!.getReader().read();
  leaving.abort();
}

async function abandonAll(from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => abandon(at + more)));
  await until(() => open === 0);
}

test('5,000 streams that are abandoned after their first event leave no memory behind', async () => {
  await abandonAll(0, ROUND);
  const perStream: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    const before = heapInUse();
    await abandonAll(round * ROUND, ROUND);
    perStream.push((heapInUse() - before) / ROUND);
  }

  // What other work of the process allocates meanwhile shows in one round; a leak shows in each.
  expect(Math.min(...perStream)).toBeLessThan(MOST_PER_STREAM);
});
