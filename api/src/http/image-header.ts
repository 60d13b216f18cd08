export interface ImageHeader {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Size as stored, in pixels. */
  width: number;
  height: number;
  /** How it is displayed, as in EXIF: 1 upright, 6 rotated clockwise, etc. */
  orientation: number;
}

/** Reads the header of a PNG, JPEG or WebP; null for anything else, and for a damaged header. */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  try {
    const found = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
    return found && found.width > 0 && found.height > 0 ? found : null;
  } catch (error) {
    // The header ends too early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readPng(bytes: Buffer): ImageHeader | null {
  const isPng = bytes.length >= 33 && bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n';
  if (!isPng || !isNamed(bytes, 12, 'IHDR')) return null;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), orientation: 1 };
}

/** The size is in the first frame header (SOF), after any number of other segments: ISO/IEC 10918-1, B.1. */
function readJpeg(bytes: Buffer): ImageHeader | null {
  if (bytes.readUIntBE(0, 3) !== 0xffd8ff) return null;
  let orientation = 1;
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const next = at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xe1) orientation = orientationIn(bytes.subarray(at + 4, next)) ?? orientation;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { type: 'image/jpeg', width, height, orientation };
    }
    at = next;
  }
  return null;
}

/** Tag 0x0112 of the first directory, see EXIF 2.3, 4.6. */
function orientationIn(exif: Buffer): number | null {
  if (exif.length < 14 || exif.toString('latin1', 0, 4) !== 'Exif') return null;
  const tiff = exif.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return null;
  const entries = short(directory);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return null;
    if (short(at) !== 0x0112) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** The three kinds of WebP have their sizes in different places: RFC 9649, 2.5–2.7. */
function readWebp(bytes: Buffer): ImageHeader | null {
  if (!isNamed(bytes, 0, 'RIFF') || !isNamed(bytes, 8, 'WEBP')) return null;
  const rest = { type: 'image/webp', orientation: 1 } as const;
  const sized = (width: number, height: number) => ({ ...rest, width, height });
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
