import { beforeAll, expect, test } from '@jest/globals';

type Body = () => Generator<unknown, unknown, unknown>;
let helpers: {
  __await(value: unknown): unknown;
  __asyncGenerator(self: unknown, args: unknown, body: Body): AsyncGenerator<unknown>;
  __awaiter(self: unknown, args: unknown, promise: unknown, body: Body): Promise<unknown>;
};
beforeAll(async () => {
  helpers = await import('./async-helpers.js' as string);
});

/** Reads a stream as isReadableStreamLike.js of rxjs does. */
function read(stream: ReadableStream<number>) {
  return helpers.__asyncGenerator(undefined, [], function* () {
    const reader = stream.getReader();
    try {
      while (true) {
        const { value, done } = (yield helpers.__await(reader.read())) as ReadableStreamReadResult<number>;
        if (done) return yield helpers.__await(undefined);
        yield yield helpers.__await(value);
      }
    } finally {
      reader.releaseLock();
    }
  });
}
async function collect(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const value of values) all.push(value);
  return all;
}
const numbers = () =>
  new ReadableStream<number>({
    start(controller) {
      controller.enqueue(1);
      controller.enqueue(2);
      controller.close();
    },
  });

test('a stream is read to its end', async () => {
  const stream = numbers();
  expect(await collect(read(stream))).toEqual([1, 2]);
  expect(stream.locked).toBe(false);
});

test('a reader that leaves early releases the stream', async () => {
  const stream = numbers();
  for await (const value of read(stream)) if (value === 1) break;
  expect(stream.locked).toBe(false);
});

test('an error of the stream is passed on and releases it', async () => {
  const stream = new ReadableStream<number>({ pull: (controller) => controller.error(new Error('lost')) });
  await expect(collect(read(stream))).rejects.toThrow('lost');
  expect(stream.locked).toBe(false);
});

test('a function can catch what it waits for', async () => {
  const result = helpers.__awaiter(undefined, undefined, undefined, function* () {
    const value = yield Promise.resolve(1);
    try {
      yield Promise.reject(new Error('lost'));
    } catch (error) {
      return [value, (error as Error).message];
    }
    return undefined;
  });
  expect(await result).toEqual([1, 'lost']);
});
