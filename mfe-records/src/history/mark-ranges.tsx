import type { FoundRecord } from 'api/contract/search';
import type { ReactNode } from 'react';
import { plainExcerpt } from '../lib/plain-excerpt.ts';

interface Range {
  start: number;
  end: number;
}

/** `text` with highlighted ranges (UTF-16 units, in order, not overlapping). Ignores ranges outside of the text. */
export function markRanges(text: string, ranges: readonly Range[]): ReactNode {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start < at || end <= start || end > text.length) continue;
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return parts.length === 0 ? text : [...parts, text.slice(at)];
}

export function rangesOf({ highlights }: FoundRecord, field: 'question' | 'answer'): Range[] {
  return highlights.filter((highlight) => highlight.field === field);
}

/** The distinct words found in an answer, as written there, longest first. */
export function foundWords({ answer, highlights }: FoundRecord): string[] {
  const words = highlights
    .filter(({ field }) => field === 'answer')
    .map(({ start, end }) => answer.slice(start, end));
  return [...new Set(words)].filter(Boolean).sort((one, other) => other.length - one.length);
}

/** `text` with all occurrences of the words highlighted. */
export function markWords(text: string, words: readonly string[]): ReactNode {
  if (words.length === 0) return text;
  const pattern = new RegExp(words.map(escaped).join('|'), 'g');
  const ranges = [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  return markRanges(text, ranges);
}

/** Maximum distance of a match from the beginning at which it is still visible in one line. */
const IN_SIGHT = 40;
const BEFORE = 16;

/** One plain line of an answer: its beginning, or the text around the first match further down. */
export function excerptOf({ answer, highlights }: FoundRecord): string {
  const first = highlights.find(({ field }) => field === 'answer');
  if (!first || plainExcerpt(answer.slice(0, first.end)).length <= IN_SIGHT) return plainExcerpt(answer);
  const before = answer.slice(0, first.start);
  const start = Math.max(first.start - BEFORE, before.lastIndexOf('\n') + 1);
  const isSplit = /[\udc00-\udfff]/.test(answer.charAt(start));
  return `…${plainExcerpt(answer.slice(isSplit ? start + 1 : start))}`;
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
