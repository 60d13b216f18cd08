import { findQuote, type Quote } from '../find-quote.ts';
import type { Span } from './source-blocks.ts';
import type { SourcePart, SourcePassage } from './source-reader.ts';

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
