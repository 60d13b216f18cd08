import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventData } from './endpoint.ts';

async function read(...chunks: Uint8Array[]): Promise<string[]> {
  const found: string[] = [];
  for await (const data of eventData(chunksOf(chunks))) found.push(data);
  return found;
}

async function* chunksOf(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test('reads data of one line or several, whatever ends the lines', async () => {
  const text =
    ': hello\ndata: 一\n\nevent: x\r\ndata:{"a":\r\ndata: 2}\r\n\r\ndata: three\r\rid: 4\n\ndata: last';
  expect(await read(bytes(text))).toEqual(['一', '{"a":\n2}', 'three', 'last']);
});

test('leaves out events without data', async () => {
  expect(await read(bytes('data:\n\ndata: \n\nevent: ping\n\ndata: a\n\n'))).toEqual(['a']);
});

test('the result does not depend on how the bytes are split', async () => {
  const whole = bytes('data: 咨询台\r\n\r\n: 注\r\ndata: 🦊\ndata: b\n\n\n\ndata: c\r\rdata: d\r\n\r\n');
  const expected = await read(whole);
  expect(expected).toEqual(['咨询台', '🦊\nb', 'c', 'd']);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 10 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
      const chunks = places.slice(1).map((end, index) => whole.slice(places[index], end));
      expect(await read(...chunks)).toEqual(expected);
    }),
  );
});

test('an endless event is rejected, many small ones are not', async () => {
  const piece = bytes('x'.repeat(10_000));
  const endless = [bytes('data: '), ...Array.from({ length: 200 }, () => piece)];
  await expect(read(...endless)).rejects.toThrow('an event of more than a million characters');
  const lines = Array.from({ length: 200 }, () => bytes(`data: ${'x'.repeat(10_000)}\n`));
  await expect(read(...lines)).rejects.toThrow('an event of more than a million characters');
  const small = Array.from({ length: 200 }, () => bytes(`data: ${'x'.repeat(10_000)}\n\n`));
  expect(await read(...small)).toHaveLength(200);
  const comments = Array.from({ length: 200 }, () => bytes(`: ${'x'.repeat(10_000)}\n`));
  expect(await read(...comments, bytes('data: a'), bytes('b\n\n'))).toEqual(['ab']);
});
