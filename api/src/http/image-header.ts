/** Media type and size in pixels of an image, by its first bytes. */
interface ImageHeader {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

/** Reads the header of a PNG, JPEG or WebP; null for anything else, and for a damaged header. */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  const found = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  return found && found.width > 0 && found.height > 0 ? found : null;
}

function readPng(bytes: Buffer): ImageHeader | null {
  const isPng =
    bytes.length >= 33 &&
    bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' &&
    isNamed(bytes, 12, 'IHDR');
  return isPng ? { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

/** The size is in the first frame header (SOF), after any number of other segments. */
function readJpeg(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 4 || bytes.readUIntBE(0, 3) !== 0xffd8ff) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}

/** Each of the three kinds of WebP has its size elsewhere: https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 30 || !isNamed(bytes, 0, 'RIFF') || !isNamed(bytes, 8, 'WEBP')) return null;
  const sized = (width: number, height: number) => ({ type: 'image/webp' as const, width, height });
  if (isNamed(bytes, 12, 'VP8X')) return sized(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (isNamed(bytes, 12, 'VP8 '))
    return sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (!isNamed(bytes, 12, 'VP8L') || bytes[20] !== 0x2f) return null;
  const bits = bytes.readUInt32LE(21);
  return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

function isNamed(bytes: Buffer, at: number, name: string): boolean {
  return bytes.toString('latin1', at, at + 4) === name;
}
