import { findQuote, type Quote } from '../find-quote.ts';
import { countLetters } from './find-on-page.ts';
import type { Span } from './source-blocks.ts';
import type { SourcePart, SourcePassage } from './source-reader.ts';

/** What a quote covers of a page. */
export interface QuotedPage {
  /** Counted from 1. */
  page: number;
  /** The quoted text of this page. */
  text: string;
  /** Share of the page's letters that precede it. */
  before: number;
  /** The page's extracted text, and the quoted range in it, in units of the whole text. */
  part: SourcePart;
  span: Span;
}

/** The pages that `quote` covers, in units of the whole text. Empty if it is empty or its pages are unknown. */
export function quotedPages(part: SourcePart, quote: Span): QuotedPage[] {
  const starts = part.places.filter(
    ({ page }, index, all) => page !== undefined && page !== all[index - 1]?.page,
  );
  return starts.flatMap(({ start, page = 1 }, index) => {
    const end = starts[index + 1]?.start ?? part.end;
    const from = Math.max(quote.start, start);
    const to = Math.min(quote.end, end);
    const textOf = (one: number, other: number) => part.text.slice(one - part.start, other - part.start);
    if (countLetters(textOf(from, to)) === 0) return [];
    const letters = countLetters(textOf(start, end));
    return {
      page,
      text: textOf(from, to),
      before: countLetters(textOf(start, from)) / letters,
      part: { ...part, start, end, text: textOf(start, end), places: [] },
      span: { start: from, end: to },
    };
  });
}

/** The range of the quote, or of the passage if there is no quote; empty if the document no longer contains it. */
export function quotedSpan(
  parts: readonly SourcePart[],
  passage: SourcePassage | undefined,
  quote: Quote | undefined,
): Span {
  const text = parts.map((part) => part.text).join('');
  const { start } = parts[0]!;
  if (!quote) {
    const found = passage ? text.slice(passage.start - start).startsWith(passage.text) : false;
    return found
      ? { start: passage!.start, end: passage!.start + passage!.text.length }
      : { start, end: start };
  }
  const [from, to] = findQuote({ text, start }, quote);
  return { start: start + from, end: start + to };
}
