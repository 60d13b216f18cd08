import { numeralsIn } from '../../text/numerals.ts';
import { type Run, runsOf, segmenter, termTexts } from '../../text/terms.ts';
import { packTerms, type TermPlaces } from './packed-terms.ts';

/** Increment if the terms of a passage change (folding, stems, keys): the handbook is indexed again, uploads when they change. */
export const analysisVersion = 11;

/** The fields of a passage. */
export interface PassageFields {
  /** The nearest heading above it. */
  heading: string;
  /** Other ways to ask for it. */
  asks: readonly string[];
  /** The document's title and the outer headings. */
  titles: readonly string[];
  body: string;
}

export interface WeightedTerms {
  /** Keys for look-ups, each with its best mark as a prefix. */
  terms: string[];
  /** All terms, for ranking; see packed-terms.ts. */
  weights: Buffer;
  /** Number of terms in the body: the passage's length for ranking. */
  length: number;
}

/**
 * Marks of keys, best first: in a heading or another way to ask; frequent in the body; any other. Common words are looked up mark by mark, so that
 * a limit leaves out the passages that say them least.
 */
export const keyMarks = ['^', '+', '-'] as const;
const minFrequent = 3;

/** The terms of a passage over all fields. Pure. */
export function passageTerms(fields: PassageFields): WeightedTerms {
  const places = new Map<string, TermPlaces>();
  const keys = new Set<string>();
  const see = (text: string) => {
    const found = analyseText(text);
    for (const key of found.keys) keys.add(key);
    return found.terms;
  };
  const placeOf = (term: string) => {
    const known = places.get(term) ?? { body: 0, heading: false, title: false, asked: false };
    places.set(term, known);
    return known;
  };
  const body = see(fields.body);
  for (const term of body) placeOf(term).body += 1;
  for (const title of fields.titles) for (const term of see(title)) placeOf(term).title = true;
  for (const term of see(fields.heading)) placeOf(term).heading = true;
  for (const ask of fields.asks) for (const term of see(ask)) placeOf(term).asked = true;
  const terms = [...keys].map((key) => {
    const { heading, asked, body: times } = places.get(key)!;
    return (heading || asked ? keyMarks[0] : times >= minFrequent ? keyMarks[1] : keyMarks[2]) + key;
  });
  for (const pair of pairsInCells(fields.body)) terms.push(keyMarks[2] + pair);
  return { terms, weights: packTerms(places), length: body.length };
}

const maxWordsOfName = 8;

/** Word pairs in short table cells: names made of common words are found by them among thousands of rows. */
function pairsInCells(text: string): Set<string> {
  const pairs = new Set<string>();
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) continue;
    for (const cell of line.split('|')) {
      const found = wordPairs(cell);
      if (found.length < maxWordsOfName) for (const pair of found) pairs.add(pair);
    }
  }
  return pairs;
}

/** Pairs of adjacent words and numbers that are not Chinese, as one term each. */
export function wordPairs(text: string): string[] {
  const runs = runsOf(text);
  return runs.slice(1).flatMap((run, at) => {
    const before = runs[at]!;
    if (run.script === 'cjk' || before.script === 'cjk') return [];
    return [[before, run].flatMap(termTexts).join(' ')];
  });
}

/** The terms of a text, with duplicates. */
export function allTerms(text: string): string[] {
  const runs = runsOf(text);
  return [...runs.flatMap(termTexts), ...namesAndNumbers(text, runs)];
}

/** Identifiers, and numbers in digits that are written in another way. */
function namesAndNumbers(text: string, runs: readonly Run[]): string[] {
  return [...identifiersIn(text).map(({ term }) => term), ...numeralsIn(runs).map(({ value }) => value)];
}

/**
 * `terms` are all terms of a text, with duplicates. `keys` are those for look-ups: of the pairs of Chinese characters those within a word, or of two
 * characters outside of words, as in names unknown to the dictionary. Pairs across words are mostly meaningless.
 */
function analyseText(text: string): { terms: string[]; keys: Set<string> } {
  const runs = runsOf(text);
  const named = namesAndNumbers(text, runs);
  const terms = [...named];
  const keys = new Set(named);
  for (const run of runs) {
    const own = termTexts(run);
    for (const term of own) terms.push(term);
    for (const key of run.script === 'cjk' ? keysOfCjk(run) : own) keys.add(key);
  }
  return { terms, keys };
}

function* keysOfCjk({ text }: Run): Generator<string> {
  let single = '';
  for (const { segment } of segmenter.segment(text)) {
    const characters = [...segment];
    if (characters.length === 1) {
      yield segment;
      if (single !== '') yield single + segment;
      single = segment;
      continue;
    }
    single = '';
    for (let at = 0; at + 1 < characters.length; at += 1) yield characters[at]! + characters[at + 1]!;
  }
}

const compound = /(?:~?\/|--?)?[A-Za-z0-9]+(?:[-_./:@+]+[A-Za-z0-9]+)*/g;

/**
 * Identifiers such as `SESSION_DAYS`, `apt-get`, `/etc/fstab`, `--purge` and `C300` as one term, in addition to their words. Each contains a letter, and
 * a digit or a joining mark.
 */
export function identifiersIn(text: string): Array<{ term: string; start: number; end: number }> {
  return [...text.matchAll(compound)].flatMap((found) => {
    const term = found[0].toLowerCase();
    if (!/[-_./:@+~\d]/.test(term) || !/[a-z]/.test(term)) return [];
    return [{ term, start: found.index, end: found.index + found[0].length }];
  });
}
