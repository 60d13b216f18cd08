import type { FoundNotice } from '../collect-notices.ts';
import { type FileToRead, type ReadFile, tooLarge, unreadable } from '../file-to-read.ts';
import { openOcr } from '../ocr.ts';
import { withoutMarks } from '../place-marks.ts';
import { isNumbered } from '../text-headings.ts';
import { titleOf } from '../title-of.ts';
import { flowLines } from './flow-lines.ts';
import { continueGrids, haveGaps, linesOfPage } from './pdf-grids.ts';
import { type Line, linesOf, type TextRun } from './pdf-lines.ts';
import type { Rules } from './pdf-messages.ts';
import { openPdf, PageTooSlow, PdfFailure, type PdfThread } from './pdf-thread.ts';
import { removeHeadersAndFooters } from './remove-headers-and-footers.ts';
import { mayBeginTable } from './wrapped-tables.ts';

/** Length of the beginning in which a title is looked for. */
const top = 2000;
/** Characters of a page below which it may be a scan; on average for all pages, the document is one. */
const sparse = 8;
/** After so many pages that took too long the others are not read any more. */
const maxSlowPages = 3;

/** What was read of the pages, in their order. */
interface Pages {
  lines: Line[][];
  notices: FoundNotice[];
  /** Numbers of pages that were not read. */
  missing: number;
  undecoded: number;
}

/**
 * Reads a PDF page by page. Pages that are damaged or take too long are given up as long as others can be read.
 * @throws FileFailure encrypted, damaged, too slow, too many pages, too much text.
 */
export async function readPdf({ bytes, limits, onProgress }: FileToRead): Promise<ReadFile> {
  const pdf = await open(bytes, limits);
  if (pdf.pages > limits.maxPages) throw tooLarge('pages', limits.maxPages);
  const { lines, notices, missing, undecoded } = await readPages(pdf, { limits, onProgress });
  const texts = lines.map((page) => page.map(({ text }) => text).join('\n'));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const isScan = length < pdf.pages * sparse;
  const scanned = texts.flatMap((text, index) => (text.length < sparse || isScan ? [index + 1] : []));
  const isRead = (page: number) => !notices.some((notice) => notice.at?.page === page);
  const scans = await readScans(pdf, scanned.filter(isRead), { limits, onProgress });
  for (const [page, text] of scans.texts) lines[page - 1]!.push(recognised(text));
  const all = [...notices, ...scans.notices].sort((a, b) => (a.at?.page ?? 0) - (b.at?.page ?? 0));
  const unread = missing + scans.notices.length;
  if (pdf.attachments > 0) all.push({ code: 'attachment_not_read', count: pdf.attachments });
  if (pdf.hasXfa && isScan) all.push({ code: 'form_not_read' });
  if (unread > pdf.pages / 2 || undecoded > length || (pdf.hasXfa && isScan))
    all.push({ code: 'mostly_unread' });
  const { pages, margins } = removeHeadersAndFooters(lines);
  const text = [flowLines(continueGrids(pages)), ...margins].filter(Boolean).join('\n\n');
  if (text === '' && undecoded > 0) throw unreadable('not_decoded');
  if (text === '' && all.some(({ code }) => code === 'page_too_slow')) throw unreadable('too_slow');
  return {
    text,
    title: titleOf(pdf.title) || firstHeading(withoutMarks(text.slice(0, top))),
    pages: pdf.pages,
    notices: all,
  };
}

async function open(bytes: Buffer, limits: FileToRead['limits']): Promise<PdfThread> {
  try {
    return await openPdf(bytes, limits);
  } catch (error) {
    if (!(error instanceof PdfFailure)) throw error;
    throw unreadable(error.reason === 'PasswordException' ? 'encrypted' : 'damaged');
  }
}

async function readPages(
  pdf: PdfThread,
  { limits, onProgress }: Pick<FileToRead, 'limits' | 'onProgress'>,
): Promise<Pages> {
  const pages: Pages = { lines: [], notices: [], missing: 0, undecoded: 0 };
  let length = 0;
  let slow = 0;
  let areRulesRead = true;
  /** Ruled lines are only looked for on pages that may have a table, until that takes too long. */
  const linesOn = async (number: number, runs: readonly TextRun[]) => {
    const lines = linesOf(runs);
    const before = pages.lines.at(-1)?.findLast(({ grid }) => grid)?.grid;
    const mayHaveTable =
      before !== undefined || haveGaps(runs) || lines.some((_, at) => mayBeginTable(lines, at));
    if (!areRulesRead || !mayHaveTable) return lines;
    const rules = await pdf.rules(number).catch((error): Rules | null => {
      if (!(error instanceof PdfFailure)) areRulesRead = false;
      return null;
    });
    return rules ? linesOfPage(runs, rules, before) : lines;
  };
  for (let number = 1; number <= pdf.pages; number += 1) {
    const at = { page: number };
    const found = slow < maxSlowPages ? await pdf.page(number).catch(failureOf) : 'page_too_slow';
    if (typeof found === 'string') {
      if (found === 'page_too_slow') slow += 1;
      pages.notices.push({ code: found, at });
      pages.missing += 1;
      pages.lines.push([]);
    } else {
      const { runs, blocks, undecoded, attachments } = found;
      const lines = [...(await linesOn(number, runs)), ...blocks];
      for (const { text } of lines) length += text.length + 1;
      if (length > limits.maxText) throw tooLarge('text', limits.maxText);
      pages.lines.push(lines);
      pages.undecoded += undecoded;
      if (undecoded > 0) pages.notices.push({ code: 'text_not_decoded', at, count: undecoded });
      if (attachments > 0) pages.notices.push({ code: 'attachment_not_read', at, count: attachments });
    }
    onProgress({ done: number, total: pdf.pages });
  }
  if (pages.missing === pdf.pages) throw unreadable(slow > 0 ? 'too_slow' : 'damaged');
  return pages;
}

function failureOf(error: unknown): 'page_too_slow' | 'page_damaged' {
  if (error instanceof PageTooSlow) return 'page_too_slow';
  if (error instanceof PdfFailure) return 'page_damaged';
  throw error;
}

function recognised(text: string): Line {
  return { text, cells: [], x: 0, right: 0, y: 0, size: 0, isRow: false, isBlock: true };
}

function firstHeading(text: string): string {
  const headings = text.match(/^#{1,6} \S.*$/gm) ?? [];
  return headings.map((line) => line.replace(/^#+ /, '')).find((heading) => !isNumbered(heading)) ?? '';
}

/**
 * Recognises the text of these pages from their images, within the limits of time and number.
 * @returns the texts by page, and which pages show images that were not read.
 */
async function readScans(
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
