import type { QuestionFile } from '../answerer.ts';

/** Maximum size of a picture and of all together, in bytes. Endpoints accept about 20 MB per request, which are 15 MB before base64. */
const maxImageBytes = 6_000_000;
const maxTotalBytes = 12_000_000;
const maxImages = 10;

export interface ImageParts {
  images: { name: string; url: string }[];
  /** Names of pictures that are too large. */
  tooLarge: string[];
}

/** The question's pictures as `data:` URLs, in order and in their original size. */
export async function readImages(files: readonly QuestionFile[]): Promise<ImageParts> {
  const found: ImageParts = { images: [], tooLarge: [] };
  let left = maxTotalBytes;
  for (const { name, readImage } of files) {
    if (!readImage) continue;
    const { type, bytes } = await readImage();
    if (bytes.length > Math.min(maxImageBytes, left) || found.images.length === maxImages) {
      found.tooLarge.push(name);
      continue;
    }
    left -= bytes.length;
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    found.images.push({ name, url: `data:${type};base64,${data}` });
  }
  return found;
}
