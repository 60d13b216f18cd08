import type { QuestionFile } from '../answerer.ts';

/** Endpoints take about 20 MB a request, of which base64 makes 15; one picture is rarely wanted larger than this. Bytes. */
const largestImage = 6_000_000;
const largestTogether = 12_000_000;
const mostImages = 10;

export interface ImageParts {
  images: { name: string; url: string }[];
  /** Names of pictures that were too large to hand over. */
  tooLarge: string[];
}

/** The question's pictures as `data:` addresses, in order, as they are: they are not made smaller here. */
export async function readImages(files: readonly QuestionFile[]): Promise<ImageParts> {
  const found: ImageParts = { images: [], tooLarge: [] };
  let left = largestTogether;
  for (const { name, readImage } of files) {
    if (!readImage) continue;
    const { type, bytes } = await readImage();
    if (bytes.length > Math.min(largestImage, left) || found.images.length === mostImages) {
      found.tooLarge.push(name);
      continue;
    }
    left -= bytes.length;
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    found.images.push({ name, url: `data:${type};base64,${data}` });
  }
  return found;
}
