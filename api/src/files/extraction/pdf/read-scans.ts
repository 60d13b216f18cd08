import type { FoundNotice } from '../collect-notices.ts';
import type { FileToRead } from '../file-to-read.ts';
import { openOcr } from '../ocr.ts';
import type { PdfThread } from './pdf-thread.ts';

/**
 * Recognises the text of these pages from their images, within the limits of time and number.
 * @returns the texts by page, and which pages show images that were not read.
 */
export async function readScans(
  pdf: Pick<PdfThread, 'images' | 'pages'>,
  pages: readonly number[],
  { limits, onProgress }: Pick<FileToRead, 'limits' | 'onProgress'>,
): Promise<{ texts: Map<number, string>; notices: FoundNotice[] }> {
  const texts = new Map<number, string>();
  const notices: FoundNotice[] = [];
  const ocr = pages.length > 0 ? await openOcr() : null;
  const until = performance.now() + limits.scanTime;
  const total = Math.min(pages.length, limits.maxScannedPages);
  for (const [index, page] of pages.entries()) {
    const at = { page };
    if (index >= total || performance.now() >= until) {
      notices.push({ code: 'picture_not_read', at });
      continue;
    }
    try {
      const { images, orientation, hasOthers } = await pdf.images(page);
      const read = ocr ? images.map((image) => ocr.read(image, orientation)) : [];
      const text = read.filter(Boolean).join('\n\n');
      if (text !== '') texts.set(page, text);
      // An image without recognised text may be a photograph: only one that could not be examined is named.
      else if (hasOthers || (images.length > 0 && (!ocr || read.includes(null))))
        notices.push({ code: 'picture_not_read', at });
    } catch (error) {
      notices.push({ code: (error as Error).name === 'PageTooSlow' ? 'page_too_slow' : 'page_damaged', at });
    }
    onProgress({ done: pdf.pages + index + 1, total: pdf.pages + total });
  }
  return { texts, notices };
}
