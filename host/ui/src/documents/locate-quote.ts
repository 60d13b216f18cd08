import { findOnPage } from './find-on-page.ts';
import { highlightRectangles, type PlacedRun, type Rectangle } from './highlight-rectangles.ts';
import type { PDFDocumentProxy } from './open-pdf.ts';
import type { PageSize } from './page-layout.ts';
import type { QuotedPage } from './quote-pages.ts';

export interface LocatedQuote {
  /** Page that is shown first. */
  page: number;
  size: PageSize;
  /** The highlighted rectangles, by page number. */
  highlights: ReadonlyMap<number, readonly Rectangle[]>;
  /** Quoted pages without highlights, and whether they have text: a scanned page has none. */
  missing: readonly QuotedPage[];
  hasText: boolean;
}

/** Where the quote is in the file. Without quoted pages, only `page` is opened. Rejects if that page cannot be read. */
export async function locateQuote(
  document: PDFDocumentProxy,
  quoted: readonly QuotedPage[],
  page: number,
): Promise<LocatedQuote> {
  const first = Math.min(Math.max(1, quoted[0]?.page ?? page), document.numPages);
  const { width, height } = (await document.getPage(first)).getViewport({ scale: 1 });
  const highlights = new Map<number, Rectangle[]>();
  let hasText = false;
  for (const one of quoted.filter(({ page }) => page <= document.numPages)) {
    const shown = await document.getPage(one.page);
    // The page is shown without highlights if its text cannot be read.
    const content = await shown.getTextContent().catch(() => null);
    const runs = (content?.items ?? []).filter((item): item is typeof item & PlacedRun => 'str' in item);
    hasText ||= runs.some(({ str }) => str.trim() !== '');
    const ranges = findOnPage(runs, one.text, one.before);
    if (ranges.length > 0)
      highlights.set(
        one.page,
        highlightRectangles(runs, ranges, content!.styles, shown.getViewport({ scale: 1 }), widthOf()),
      );
  }
  const missing = quoted.filter(({ page }) => !highlights.has(page));
  return { page: first, size: { width, height }, highlights, missing, hasText };
}

let context: CanvasRenderingContext2D | null | undefined;

/** Measures in a common typeface: only the proportions of the letters matter. */
function widthOf(): (text: string) => number {
  context ??= document.createElement('canvas').getContext('2d');
  return (text) => context?.measureText(text).width ?? text.length;
}
