import { numeralsIn } from '../../text/numerals.ts';
import { type Run, runsOf, segmenter, termTexts } from '../../text/terms.ts';
import { packTerms, type TermPlaces } from './packed-terms.ts';

/** Increment if the terms of a text change, to index the handbook again. Uploads are when they change. */
export const analysisVersion = 11;

/**
 * Marks of keys: in a heading or another way to ask; at least `minFrequent` times in the body; any other.
 * In the order of the index, frequent ones are before others, so that a limit leaves out the others.
 */
export const keyMarks = ['^', '+', '-'] as const;
const minFrequent = 3;

/**
 * The terms of a passage: `terms` are the keys for look-ups, each after its best mark, `weights` all terms
 * for ranking (`packTerms`), and `length` the number of terms in the body. Pure.
 *
 * @param fields `heading` is the nearest one above, `asks` are other ways to ask, `titles` the document's
 *   title and the outer headings.
 */
export function passageTerms(fields: {
  heading: string;
  asks: readonly string[];
  titles: readonly string[];
  body: string;
}) {
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

/** Pairs of words in short table cells, by which names of common words are found among thousands of rows. */
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

/** Pairs of adjacent words and numbers that are not Chinese, each joined as one term. */
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

/** Identifiers, and the values of numerals. */
function namesAndNumbers(text: string, runs: readonly Run[]): string[] {
  return [...identifiersIn(text).map(({ term }) => term), ...numeralsIn(runs).map(({ value }) => value)];
}

/** `terms` are all terms of a text, with duplicates, `keys` those for look-ups. */
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

/**
 * Single characters, and the pairs within a word or of two single-character words, which may be a name that
 * the dictionary lacks. Pairs across the edge of a longer word are mostly meaningless.
 */
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
 * Identifiers such as `SESSION_DAYS`, `apt-get`, `/etc/fstab`, `--purge` and `C300`, each as one term. They
 * contain a letter, and a digit or a joining mark. Their words are terms, too.
 */
export function identifiersIn(text: string): Array<{ term: string; start: number; end: number }> {
  return [...text.matchAll(compound)].flatMap((found) => {
    const term = found[0].toLowerCase();
    if (!/[-_./:@+~\d]/.test(term) || !/[a-z]/.test(term)) return [];
    return [{ term, start: found.index, end: found.index + found[0].length }];
  });
}
