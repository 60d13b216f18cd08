import { type Day, dayFrom } from './days.ts';

/**
 * Parses a typed day: 2026-07-01, 2026/7/1, 20260701, 2026年7月1日, and without a year 7-1, 7/1, 7月1日, which belong to the year of `today`. ''
 * for empty text, undefined if it is invalid.
 */
export function readDay(text: string, today: Day): Day | '' | undefined {
  const trimmed = text.normalize('NFKC').trim();
  if (!trimmed) return '';
  const full =
    /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?$/.exec(trimmed) ??
    /^(\d{4})(\d\d)(\d\d)$/.exec(trimmed);
  if (full) return dayFrom(Number(full[1]), Number(full[2]), Number(full[3]));
  const short = /^(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?$/.exec(trimmed);
  return short ? dayFrom(Number(today.slice(0, 4)), Number(short[1]), Number(short[2])) : undefined;
}
