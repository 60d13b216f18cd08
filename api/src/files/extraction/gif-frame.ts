import { toPnm } from './pnm.ts';

/**
 * Decodes the first frame of a GIF to PNM, since the OCR engine does not read GIF. See GIF89a, 17–22 and
 * Appendix F.
 * @returns null if the file is damaged.
 */
export function firstGifFrame(bytes: Buffer): Buffer | null {
  try {
    return readFrame(bytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readFrame(bytes: Buffer): Buffer | null {
  const flags = bytes.readUInt8(10);
  let at = 13;
  let colors = bytes.subarray(at, at);
  if (flags & 0x80) {
    colors = bytes.subarray(at, at + 3 * (2 << (flags & 7)));
    at += colors.length;
  }
  let clear = -1;
  while (bytes.readUInt8(at) === 0x21) {
    if (bytes.readUInt8(at + 1) === 0xf9 && bytes.readUInt8(at + 3) & 1) clear = bytes.readUInt8(at + 6);
    at = behindBlocks(bytes, at + 2);
  }
  if (bytes.readUInt8(at) !== 0x2c) return null;
  const width = bytes.readUInt16LE(at + 5);
  const height = bytes.readUInt16LE(at + 7);
  const local = bytes.readUInt8(at + 9);
  at += 10;
  if (local & 0x80) {
    colors = bytes.subarray(at, at + 3 * (2 << (local & 7)));
    at += colors.length;
  }
  const pixels = unpack(dataOf(bytes, at + 1), bytes.readUInt8(at), width * height);
  return toPnm(width, height, (row, x, rgb) => {
    const place = local & 0x40 ? interlaced(row, height) : row;
    const index = pixels[place * width + x]!;
    // Transparent pixels become white, like paper.
    for (let part = 0; part < 3; part += 1)
      rgb[part] = index === clear ? 255 : (colors[index * 3 + part] ?? 0);
  });
}

function behindBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes.readUInt8(at) > 0) at += bytes.readUInt8(at) + 1;
  return at + 1;
}

/** The available data: a truncated image still has its upper part. */
function dataOf(bytes: Buffer, from: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = from; at < bytes.length && bytes[at]! > 0; at += bytes[at]! + 1) {
    parts.push(bytes.subarray(at + 1, at + 1 + bytes[at]!));
  }
  return Buffer.concat(parts);
}

/** Row positions of an interlaced image with four passes. */
function interlaced(row: number, height: number): number {
  const first = Math.ceil(height / 8);
  const second = first + Math.ceil((height - 4) / 8);
  const third = second + Math.ceil((height - 2) / 4);
  if (row % 8 === 0) return row / 8;
  if (row % 8 === 4) return first + (row - 4) / 8;
  if (row % 4 === 2) return second + (row - 2) / 4;
  return third + (row - 1) / 2;
}

/** LZW decompression with codes of up to 12 bits. */
function unpack(data: Buffer, minimum: number, size: number): Uint8Array {
  const pixels = new Uint8Array(size);
  if (minimum < 1 || minimum > 11) return pixels;
  const clear = 1 << minimum;
  const before = new Uint16Array(4096);
  const last = new Uint8Array(4096);
  const lengths = new Uint16Array(4096);
  for (let code = 0; code < clear; code += 1) {
    last[code] = code;
    lengths[code] = 1;
  }
  let width = minimum + 1;
  let next = clear + 2;
  let previous = -1;
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const byte of data) {
    bits |= byte << held;
    held += 8;
    while (held >= width) {
      const code = bits & ((1 << width) - 1);
      bits >>>= width;
      held -= width;
      if (code === clear) {
        width = minimum + 1;
        next = clear + 2;
        previous = -1;
        continue;
      }
      if (code === clear + 1 || code > next || (previous === -1 && code >= clear)) return pixels;
      const isNew = code === next;
      const shown = isNew ? previous : code;
      const length = lengths[shown]! + (isNew ? 1 : 0);
      let first = shown;
      let to = at + lengths[shown]! - 1;
      for (let left = lengths[shown]!; left > 0; left -= 1) {
        if (to < size) pixels[to] = last[first]!;
        to -= 1;
        if (left > 1) first = before[first]!;
      }
      if (isNew && at + length - 1 < size) pixels[at + length - 1] = last[first]!;
      if (previous !== -1 && next < 4096) {
        before[next] = previous;
        last[next] = last[first]!;
        lengths[next] = lengths[previous]! + 1;
        next += 1;
        if (next === 1 << width && width < 12) width += 1;
      }
      previous = code;
      at += length;
      if (at >= size) return pixels;
    }
  }
  return pixels;
}
