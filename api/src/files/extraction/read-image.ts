import { tooLarge, unreadable } from './file-failure.ts';
import type { FileToRead, ReadFile } from './file-to-read.ts';
import { firstGifFrame } from './gif-frame.ts';
import { readImageHeader } from './image-header.ts';
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

function isMoving(bytes: Uint8Array, type: string): boolean {
  return type === 'image/webp' && bytes[15] === 'X'.charCodeAt(0) && (bytes[20]! & 2) !== 0;
}
