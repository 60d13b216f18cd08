import { expect, test } from '@jest/globals';
import { rangeHeaders, readInParts, sourceBytes } from './source-reader.ts';

const response = (status: number, text: string, headers: object) => ({
  status,
  headers,
  data: { arrayBuffer: async () => new TextEncoder().encode(text).buffer } as Blob,
});
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test('asks for a part, and reads its position and the size of the file', async () => {
  expect(rangeHeaders(10, 20)).toEqual({ Range: 'bytes=10-19' });
  const part = response(206, 'abc', { etag: '"1"', 'content-range': 'bytes 10-12/90' });
  const { bytes, size, version } = await sourceBytes(part, 10, 20);
  expect([textOf(bytes), size, version]).toEqual(['abc', 90, '"1"']);
});

test('uses the whole file where ranges are ignored', async () => {
  const whole = () => response(200, 'abcdef', {});
  const first = await sourceBytes(whole(), 0, 2);
  expect([textOf(first.bytes), first.size]).toEqual(['abcdef', 6]);
  expect(textOf((await sourceBytes(whole(), 2, 4)).bytes)).toBe('cd');
});

test.each([
  ['another content of the same size', { version: '"2"', size: 90 }],
  ['another size', { version: '"1"', size: 91 }],
])('parts of two files are never put together: %s', async (_, next) => {
  let file = { version: '"1"', size: 90 };
  const bytes = async (_id: string, start: number, end: number) => ({
    ...file,
    bytes: new Uint8Array(end - start),
  });
  const { first, read } = await readInParts('d1', 10, { bytes }, new AbortController().signal);
  expect([first.bytes.length, first.size]).toEqual([10, 90]);
  expect(await read(20, 50)).toHaveLength(30);
  file = next;
  await expect(read(50, 90)).rejects.toThrow('replaced');
});
