/**
 * Length of an image in bytes up to its end marker; the whole length for anything else, and for an image
 * without an end. Data after the end is never displayed and could be anything.
 */
export function imageLength(bytes: Buffer): number {
  const end = pngEnd(bytes) ?? jpegEnd(bytes) ?? gifEnd(bytes) ?? webpEnd(bytes);
  return end !== null && end <= bytes.length ? end : bytes.length;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Position after the chunk IEND. */
function pngEnd(bytes: Buffer): number | null {
  if (!bytes.subarray(0, 8).equals(pngSignature)) return null;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const next = at + 12 + bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return next;
    at = next;
  }
  return null;
}

/** Position after the marker EOI. */
function jpegEnd(bytes: Buffer): number | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff) return null;
    if (marker === 0xd9) return at + 2;
    // Fill bytes, and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (at + 4 > bytes.length) return null;
    else {
      at += 2 + bytes.readUInt16BE(at + 2);
      if (marker === 0xda) at = scanEnd(bytes, at);
    }
  }
  return null;
}

/** The next marker after the data of a scan, in which 0xff is followed by 0 or a restart marker. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** Position after the trailer. */
function gifEnd(bytes: Buffer): number | null {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null;
  const colours = (at: number) => ((bytes[at] ?? 0) & 0x80 ? 3 << (((bytes[at] ?? 0) & 7) + 1) : 0);
  for (let at = 13 + colours(10); at < bytes.length; ) {
    const block = bytes[at];
    if (block === 0x3b) return at + 1;
    if (block === 0x21) at = afterBlocks(bytes, at + 2);
    else if (block === 0x2c) at = afterBlocks(bytes, at + 11 + colours(at + 9));
    else return null;
  }
  return null;
}

/** Position after a sequence of blocks of up to 255 bytes, which ends with an empty one. */
function afterBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at]!;
  return at + 1;
}

/** The RIFF header contains the size, which is padded to an even number. */
function webpEnd(bytes: Buffer): number | null {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RIFF') return null;
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  const size = bytes.readUInt32LE(4);
  return 8 + size + (size % 2);
}
