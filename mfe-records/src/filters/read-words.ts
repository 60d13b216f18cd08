import { type DatePhrase, findDate } from './date-phrases.ts';
import { dayIn } from './days.ts';

/** A piece of what was typed that may be more than a word. */
export interface Recognised {
  /** As it was typed. */
  words: string;
  from: string;
  to: string;
}

export interface ReadWords {
  /** What remains to be searched for. */
  text: string;
  /** The first dates in the text; null when there are none. Further ones stay words. */
  dates: Recognised | null;
  /** Words of the rest that could each be a whole contact, longest first: single words, and two or three in a row. */
  candidates: string[];
}

interface ReadOptions {
  now: Date;
  /** IANA name: it says which day today is. The browser's own without one. */
  timeZone?: string | undefined;
  /** What the visitor wants to be words: a chip that was taken off. */
  plain?: readonly string[];
}

const QUOTED = /"[^"]*"|“[^”]*”|「[^」]*」|『[^』]*』/g;
const CANDIDATES = 12;

/**
 * Reads what stands in the search box: dates in Chinese and English (昨天, 上周, 7月1日到15日, 2026-07-01, last week, since Monday …) and words that
 * could name a contact. What stands in quotation marks is never read. Pure: the same words on the same day mean the same.
 */
export function readWords(text: string, { now, timeZone, plain = [] }: ReadOptions): ReadWords {
  const shielded = shield(text, plain);
  const found = findDate(shielded, dayIn(timeZone, now));
  if (!found) return { text: tidy(text), dates: null, candidates: candidatesIn(shielded, text) };
  const rest = without(text, found);
  return {
    text: rest,
    dates: { words: text.slice(found.start, found.end).trim(), from: found.from, to: found.to },
    candidates: candidatesIn(shield(rest, plain), rest),
  };
}

/** `text` without the first place where `words` stand as a piece of their own, outside quotation marks. */
export function takeOut(text: string, words: string): string {
  const shielded = shield(text, []);
  const pattern = new RegExp(`(?<=^|\\s)${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?=\\s|$)`, 'u');
  const found = pattern.exec(shielded);
  return found ? without(text, { start: found.index, end: found.index + words.length }) : text;
}

/** Puts what must not be read out of sight; every unit keeps its place. */
function shield(text: string, plain: readonly string[]): string {
  const hide = (hidden: string) => '\u0000'.repeat(hidden.length);
  const unquoted = text.replace(QUOTED, hide);
  return plain.filter(Boolean).reduce((sofar, words) => sofar.replaceAll(words, hide), unquoted);
}

function without(text: string, { start, end }: Pick<DatePhrase, 'start' | 'end'>): string {
  // 上周的退款, yesterday’s refunds: what ties a date to what follows goes with it.
  const after = text.slice(end).replace(/^(?:的(?=\S)|['’]s(?=\s|$))/u, '');
  return tidy(`${text.slice(0, start)} ${after}`);
}

function tidy(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

function candidatesIn(shielded: string, text: string): string[] {
  const words = [...shielded.matchAll(/\S+/g)]
    .filter(([word]) => !word.includes('\u0000'))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }));
  const found = new Set<string>();
  for (const count of [3, 2, 1])
    for (let at = 0; at + count <= words.length; at += 1) {
      const [start, end] = [words[at]!.start, words[at + count - 1]!.end];
      const candidate = text.slice(start, end);
      const isInARow = /^\S+(?:\s+\S+)*$/.test(candidate) && !shielded.slice(start, end).includes('\u0000');
      // Several words in a row are a name such as Anna Berg, or a number in its groups.
      const isJoint =
        count === 1 || /^[\p{Script=Latin}.'’\s-]+$/u.test(candidate) || /^\+?[\d\s-]+$/.test(candidate);
      if (isInARow && isJoint && candidate.length <= 120) found.add(candidate);
    }
  return [...found].slice(0, CANDIDATES);
}
