import { type FileToRead, type ReadFile, tooLarge, unreadable } from './file-to-read.ts';
import { firstGifFrame } from './gif-frame.ts';
import { openOcr } from './ocr.ts';

/** The text in an image if OCR is installed, else ''. The size is checked before decoding. */
export async function readImage({ bytes, type, limits, onProgress, onSeen }: FileToRead): Promise<ReadFile> {
  const header = readImageHeader(bytes, type);
  if (!header) throw unreadable('damaged');
  const { width, height, orientation } = header;
  if (width * height > limits.maxPixels) throw tooLarge('pixels', Math.floor(limits.maxPixels / 1e6));
  const size = { width, height };
  onSeen({ size });
  const ocr = await openOcr();
  if (!ocr) return { text: '', size };
  const image = type === 'image/gif' ? firstGifFrame(Buffer.from(bytes)) : bytes;
  if (!image) throw unreadable('damaged');
  const text = ocr.read(image, orientation, (percent) => onProgress({ done: percent, total: 100 }));
  // The engine does not read animated WebP; anything else that it cannot read is damaged.
  if (text === null && !isMoving(bytes, type)) throw unreadable('damaged');
  return { text: text ?? '', size };
}

function isMoving(bytes: Buffer, type: string): boolean {
  return type === 'image/webp' && bytes[15] === 'X'.charCodeAt(0) && (bytes[20]! & 2) !== 0;
}

/** Displayed size of an image in pixels, and its orientation. */
interface ImageHeader {
  width: number;
  height: number;
  /** As in EXIF: 1 upright, 6 to be rotated clockwise, etc. */
  orientation: number;
}

/** By its header, without decoding. null: it is damaged. */
function readImageHeader(bytes: Buffer, type: string): ImageHeader | null {
  try {
    const header = readers[type]?.(bytes) ?? null;
    return header && header.width > 0 && header.height > 0 ? header : null;
  } catch (error) {
    // The header ends too early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const readers: Record<string, (bytes: Buffer) => ImageHeader | null> = {
  'image/png': (bytes) => ({
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    orientation: 1,
  }),
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), orientation: 1 }),
  'image/webp': readWebp,
  'image/jpeg': readJpeg,
};

/** See RFC 9649, 2.5–2.7. */
function readWebp(bytes: Buffer): ImageHeader | null {
  const form = bytes.toString('latin1', 12, 16);
  const upright = (width: number, height: number) => ({ width, height, orientation: 1 });
  if (form === 'VP8X') return upright(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (form === 'VP8 ') return upright(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (form !== 'VP8L') return null;
  const packed = bytes.readUInt32LE(21);
  return upright((packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1);
}

/** Walks the markers up to the frame header, see ISO/IEC 10918-1, B.1. */
function readJpeg(bytes: Buffer): ImageHeader | null {
  let orientation = 1;
  let at = 2;
  while (at < bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const mark = bytes.readUInt8(at + 1);
    if (mark === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (mark === 0xe1) orientation = orientationIn(bytes.subarray(at + 4, at + 2 + length)) ?? orientation;
    const isFrame = mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc;
    if (isFrame) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return orientation >= 5
        ? { width: height, height: width, orientation }
        : { width, height, orientation };
    }
    at += 2 + length;
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
