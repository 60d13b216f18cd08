import { type ImageHeader, readImageHeader } from '../../http/image-header.ts';
import { type FileToRead, type ReadFile, tooLarge, unreadable } from './file-to-read.ts';
import { firstGifFrame } from './gif-frame.ts';
import { openOcr } from './ocr.ts';

/** The text in an image if OCR is installed, else ''. The size is checked before decoding. */
export async function readImage({ bytes, type, limits, onProgress, onSeen }: FileToRead): Promise<ReadFile> {
  const header = headerOf(bytes, type);
  if (!header) throw unreadable('damaged');
  const { width, height, orientation } = header;
  if (width * height > limits.maxPixels) throw tooLarge('pixels', Math.floor(limits.maxPixels / 1e6));
  // As displayed: orientations from 5 on swap the sides.
  const size = orientation < 5 ? { width, height } : { width: height, height: width };
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

/** By its header, without decoding. null: it is damaged. */
function headerOf(bytes: Buffer, type: string): Pick<ImageHeader, 'width' | 'height' | 'orientation'> | null {
  if (type !== 'image/gif') return readImageHeader(bytes);
  if (bytes.length < 10) return null;
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  return width > 0 && height > 0 ? { width, height, orientation: 1 } : null;
}
