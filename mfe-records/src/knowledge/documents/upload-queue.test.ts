import { afterEach, expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { createStandInServices, failure } from 'host/stand-ins';
import { sampleDocument } from '../../testing/sample-knowledge.ts';
import { createUploadQueue, type UploadQueue } from './upload-queue.ts';

const opened: UploadQueue[] = [];
afterEach(() => {
  for (const queue of opened.splice(0)) queue.clear();
});

/** A server whose responses the test controls, by file name. */
function open() {
  const waiting = new Map<
    string,
    { arrive(status?: 'indexing' | 'ready'): void; fail(error: Error): void }
  >();
  const { services, calls } = createStandInServices({
    answers: {
      'POST /api/knowledge/documents': ({ body }) =>
        new Promise((resolve, reject) => {
          const { name } = (body as FormData).get('file') as File;
          waiting.set(name, {
            arrive: (status = 'indexing') => resolve({ document: sampleDocument({ title: name, status }) }),
            fail: reject,
          });
        }),
    },
  });
  const queue = createUploadQueue(services.http);
  opened.push(queue);
  const steps = () => queue.uploads$.value.map(({ name, step }) => `${name} ${step.status}`);
  const until = (expected: string[]) => waitFor(() => expect(steps()).toEqual(expected));
  return { queue, calls, waiting, until };
}

const file = (name: string) => new File(['text'], name);

test('uploads two at a time, and the next when one is finished', async () => {
  const { queue, waiting, until } = open();

  queue.add([file('a'), file('b'), file('c')]);
  await until(['a sending', 'b sending', 'c waiting']);
  waiting.get('a')?.arrive();
  await until(['a done', 'b sending', 'c sending']);
  expect(queue.arrived$.value).toBe(1);
});

test('keeps a failed upload with its reason, and retries on request', async () => {
  const { queue, waiting, until } = open();

  queue.add([file('a')]);
  await until(['a sending']);
  waiting.get('a')?.fail(failure(413, 'too_large', '文件超过 20 MB'));
  await until(['a failed']);
  const [failed] = queue.uploads$.value;
  expect(failed?.step).toMatchObject({ message: '文件超过 20 MB' });
  queue.retry(failed!.id);
  await until(['a sending']);
  waiting.get('a')?.arrive();
  await until(['a done']);
});

test('keeps the latest finished uploads until the next ones', async () => {
  const { queue, waiting, until } = open();
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

  queue.add(names.map(file));
  for (const name of names) {
    await waitFor(() => expect(waiting.has(name)).toBe(true));
    waiting.get(name)?.arrive();
  }
  await until(names.slice(2).map((name) => `${name} done`));
  queue.add([file('h')]);
  await until(['h sending']);
});

test('a cancelled upload ends its request and makes room for the next', async () => {
  const { queue, calls, until } = open();

  queue.add([file('a'), file('b'), file('c')]);
  await until(['a sending', 'b sending', 'c waiting']);
  queue.remove(queue.uploads$.value[0]!.id);
  await until(['b sending', 'c sending']);
  expect(calls[0]?.signal?.aborted).toBe(true);
});

test('reports a document that already exists', async () => {
  const { queue, waiting, until } = open();

  queue.add([file('a')]);
  await until(['a sending']);
  waiting.get('a')?.arrive('ready');
  await until(['a known']);
  expect(queue.arrived$.value).toBe(0);
});

test('asks for confirmation before the page is left during an upload', async () => {
  const { queue, waiting, until } = open();
  const leave = () => {
    const leaving = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(leaving);
    return leaving.defaultPrevented;
  };

  expect(leave()).toBe(false);
  queue.add([file('a')]);
  await until(['a sending']);
  expect(leave()).toBe(true);
  waiting.get('a')?.arrive();
  await until(['a done']);
  expect(leave()).toBe(false);
});

test('shows how much was sent, and nothing of an upload that was cancelled', async () => {
  const { queue, calls, until } = open();

  queue.add([file('a')]);
  await until(['a sending']);
  calls[0]?.sent?.(3, 4);
  expect(queue.uploads$.value[0]?.step).toEqual({ status: 'sending', sent: 3 });
  queue.remove(queue.uploads$.value[0]!.id);
  calls[0]?.sent?.(4, 4);

  expect(queue.uploads$.value).toEqual([]);
});
