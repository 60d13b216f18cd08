import { chineseDates } from './chinese-dates.ts';
import { type Day, dayIn } from './days.ts';
import { englishDates } from './english-dates.ts';

/** An expression recognised in the typed text. */
interface Recognised {
  /** The words as they were typed. */
  typed: string;
  from: string;
  to: string;
}

interface RecognisedFilters {
  /** The remaining text to search for. */
  text: string;
  /** The first dates in the text, or null. Further dates stay text. */
  dates: Recognised | null;
  /** Remaining words that may be a contact, longest first: single words, and two or three in a row. */
  candidates: string[];
}

interface ReadOptions {
  now: Date;
  /** IANA name, which determines today's date. The browser's by default. */
  timeZone?: string | undefined;
  /** Words that must stay text, because the visitor removed their chip. */
  plain?: readonly string[];
}

const QUOTED = /"[^"]*"|“[^”]*”|「[^」]*」|『[^』]*』/g;
const CANDIDATES = 12;

/**
 * Reads the search field: dates in Chinese and English (昨天, 上周, 7月1日到15日, 2026-07-01, last week, since Monday …) and words that may name a
 * contact. Ignores text in quotation marks. Pure function of text and day.
 */
export function recogniseFilters(
  text: string,
  { now, timeZone, plain = [] }: ReadOptions,
): RecognisedFilters {
  const shielded = shield(text, plain);
  const found = findDate(shielded, dayIn(timeZone, now));
  if (!found) return { text: tidy(text), dates: null, candidates: candidatesIn(shielded, text) };
  const rest = without(text, found);
  return {
    text: rest,
    dates: { typed: text.slice(found.start, found.end).trim(), from: found.from, to: found.to },
    candidates: candidatesIn(shield(rest, plain), rest),
  };
}

/** Removes the first occurrence of `typed` that is separate and outside of quotation marks. */
export function takeOut(text: string, typed: string): string {
  const shielded = shield(text, []);
  const pattern = new RegExp(`(?<=^|\\s)${typed.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?=\\s|$)`, 'u');
  const found = pattern.exec(shielded);
  return found ? without(text, { start: found.index, end: found.index + typed.length }) : text;
}

/** Hides text that must not be recognised, without changing positions. */
function shield(text: string, plain: readonly string[]): string {
  const hide = (hidden: string) => '\u0000'.repeat(hidden.length);
  const unquoted = text.replace(QUOTED, hide);
  return plain.filter(Boolean).reduce((rest, typed) => rest.replaceAll(typed, hide), unquoted);
}

function without(text: string, { start, end }: Pick<DatePhrase, 'start' | 'end'>): string {
  // 上周的退款, yesterday’s refunds: the connecting 的 or ’s is removed with the date.
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
      // Several words in a row may be a name such as Anna Berg, or a number in groups.
      const isJoint =
        count === 1 || /^[\p{Script=Latin}.'’\s-]+$/u.test(candidate) || /^\+?[\d\s-]+$/.test(candidate);
      if (isInARow && isJoint && candidate.length <= 120) found.add(candidate);
    }
  return [...found].slice(0, CANDIDATES);
}

/** Days found in a text, with their position in UTF-16 units. */
interface DatePhrase {
  start: number;
  end: number;
  /** Inclusive; '' for an open end. */
  from: Day;
  to: Day;
}

/** The first date expression in a text, the longest one if several match; undefined if there is none. */
function findDate(text: string, today: Day): DatePhrase | undefined {
  const folded = fold(text);
  let best: DatePhrase | undefined;
  for (const { pattern, read } of [...chineseDates, ...englishDates])
    for (const match of folded.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      const isEarlier = !best || start < best.start || (start === best.start && end > best.end);
      if (!isEarlier) continue;
      const days = read(match.groups ?? {}, today);
      if (days && (!days.from || !days.to || days.from <= days.to)) best = { start, end, ...days };
    }
  return best;
}

/** Converts full-width digits and letters to half-width and lower case, without changing positions. */
function fold(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/\u3000/g, ' ');
}
