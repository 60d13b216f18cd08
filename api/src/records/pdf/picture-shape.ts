/** Format and size of an image, in points at 96 pixels per inch. */
interface PictureShape {
  format: 'JPEG' | 'PNG';
  width: number;
  height: number;
}

/** Maximum number of pixels: an image must be decoded to be embedded. */
const maxPixels = 24_000_000;
const pointsOfPixel = 0.75;

/** Reads the header of a JPEG or PNG; null for anything else, and for damaged or too large images. */
export function pictureShape(bytes: Uint8Array): PictureShape | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = sizeOfPng(view) ?? sizeOfJpeg(view);
  if (!found) return null;
  const { format, width, height } = found;
  if (width < 1 || height < 1 || width * height > maxPixels) return null;
  return { format, width: width * pointsOfPixel, height: height * pointsOfPixel };
}

function sizeOfPng(bytes: Buffer): PictureShape | null {
  if (bytes.length < 33 || bytes.readUInt32BE(0) !== 0x89504e47 || bytes.readUInt32BE(4) !== 0x0d0a1a0a)
    return null;
  return { format: 'PNG', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The size is in the first frame header (SOF), after any number of other segments. */
function sizeOfJpeg(bytes: Buffer): PictureShape | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame)
      return { format: 'JPEG', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
