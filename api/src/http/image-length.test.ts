import { expect, test } from '@jest/globals';
import { smallPng } from '../testing/small-png.ts';
import { imageLength } from './image-length.ts';

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/**
 * A scan with an escaped 0xff and a restart marker, and a thumbnail with its own end marker within a segment.
 */
const jpeg = bytes('ffd8 ffe1 0006 ffd8ffd9 ffda 0004 0000 12ff0034ffd056 ffd9');
/** An image with a palette, after an extension. */
const gif = bytes(
  '474946383961 0100 0100 80 00 00 000000 ffffff 21f9 04 00000000 00 2c 00000000 0100 0100 00 02 02 4401 00 3b',
);
const webp = bytes('52494646 10000000 57454250 56503820 04000000 01020304');

test.each([
  ['PNG', smallPng(3, 3)],
  ['JPEG', jpeg],
  ['GIF', gif],
  ['WebP', webp],
])('data after the end of a %s is cut off', (_format, picture) => {
  expect(imageLength(picture)).toBe(picture.length);
  const more = Buffer.concat([picture, Buffer.alloc(10_000, 'x'), picture]);
  expect(imageLength(more)).toBe(picture.length);
});

test.each([
  ['PNG', smallPng(3, 3)],
  ['JPEG', jpeg],
  ['GIF', gif],
  ['WebP', webp],
])('an incomplete %s stays unchanged, wherever it ends', (_format, picture) => {
  for (let length = 0; length < picture.length; length += 1)
    expect(imageLength(picture.subarray(0, length))).toBe(length);
});

test('other data stays unchanged', () => {
  for (const text of ['', 'words', 'RIFF1234AVI ', 'GIF89'])
    expect(imageLength(Buffer.from(text))).toBe(text.length);
});
