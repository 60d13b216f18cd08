import type { KnowledgeModels } from '../models/knowledge-models.ts';
import { type TermCount, termCountId } from '../models/term-count.ts';
import { inSlices } from '../services/in-slices.ts';
import type { CountedUnit } from './find-candidates.ts';
import { fold } from './fold.ts';
import { isLight } from './light-words.ts';
import { namesIn } from './names-in.ts';
import { soundAlikes } from './sound-alikes.ts';
import { chineseStopWords, questionWords } from './stop-words.ts';
import { stemOf } from './terms.ts';

const mostMended = 3;

type CountModels = Pick<KnowledgeModels, 'termCounts'>;

/** A word of the question, folded, and what it was meant to be. */
export interface Mended {
  word: string;
  meant: string;
}

/**
 * What words that the knowledge base never says were meant to be. Latin words: the commonest that it does say one slip away, question words
 * first. Chinese pairs: with one character that sounds alike. Some hundred look-ups by id a word, for a handful of words.
 */
export async function mendTypos(
  models: CountModels,
  text: string,
  units: readonly CountedUnit[],
  scopes: readonly string[],
): Promise<Mended[]> {
  const unknown = units.filter(({ passages, groups }) => passages === 0 && groups.length === 1);
  const surfaces = unknown.map(({ surface }) => surface);
  const names = namesIn(text);
  const latin = surfaces.filter((surface) => /^[a-z]{4,}$/.test(surface) && !names.has(surface));
  const questions = latin.flatMap((word) => {
    const meant = questionWordFor(word);
    return meant === null ? [] : [{ word, meant }];
  });
  const words = latin.filter((word) => !questions.some((one) => one.word === word)).slice(0, mostMended);
  const loose = looseIn(text);
  const pairs = surfaces.filter((surface) => loose.has(surface)).slice(0, mostMended);
  const [near, alike] = await Promise.all([
    Promise.all(words.map((word) => nearestWord(models, scopes, word))),
    nearestPairs(models, scopes, fold(text), pairs),
  ]);
  const found = words.flatMap((word, at) => (near[at] ? [{ word, meant: near[at].term }] : []));
  return [...questions, ...found, ...withoutOverlaps(pairs, alike)];
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Pairs of neighbouring characters that are no word and part of none, as a misspelt word falls apart. */
function looseIn(text: string): Set<string> {
  const loose = new Set<string>();
  let before = '';
  for (const { segment } of segmenter.segment(fold(text))) {
    const single = /^\p{Script=Han}$/u.test(segment) ? segment : '';
    if (before !== '' && single !== '') loose.add(before + single);
    before = single;
  }
  return loose;
}

/** Whether `meant` is a word that carries content, by itself or put in place of `word`. */
function isWordIn(folded: string, word: string, meant: string): boolean {
  if (isLight(meant) || chineseStopWords.includes(meant)) return false;
  if ([...segmenter.segment(meant)].length === 1) return true;
  const segments = segmenter.segment(folded.replace(word, meant));
  return segments.containing(folded.indexOf(word))?.segment.includes(meant) ?? false;
}

/** Neighbouring pairs share a character: the commonest guess wins, and what it has mended needs no other. */
function withoutOverlaps(pairs: readonly string[], alike: ReadonlyMap<string, Known>): Mended[] {
  const known = pairs
    .flatMap((word) => {
      const best = alike.get(word);
      return best ? [{ word, meant: best.term, passages: best.passages }] : [];
    })
    .sort((one, other) => other.passages - one.passages);
  const kept: Mended[] = [];
  for (const { word, meant } of known) {
    const isFree = !kept.some((other) => [...other.word].some((character) => word.includes(character)));
    if (isFree) kept.push({ word, meant });
  }
  return kept;
}

/** A text with what was meant in place of the words that were misspelt; the rest is folded. */
export function mendText(text: string, mended: readonly Mended[]): string {
  let folded = fold(text);
  for (const { word, meant } of mended) folded = folded.replaceAll(word, meant);
  return folded;
}

interface Known {
  term: string;
  passages: number;
}

function questionWordFor(word: string): string | null {
  return questionWords.find((other) => isSlip(word, other)) ?? null;
}

/** In words of four letters only two letters swapped are a slip: any other way leads to another word too easily. */
function isSlip(word: string, other: string): boolean {
  const distance = slips(word, other);
  if (word.length > 4 && other.length > 4) return distance <= 1;
  return distance === 1 && isAnagram(word, other);
}

/** The commonest word that is one slip away. */
async function nearestWord(
  models: CountModels,
  scopes: readonly string[],
  word: string,
): Promise<Known | null> {
  const costs = new Map<string, number>();
  for (const { spelling, cost } of spellings(word)) {
    const term = stemOf(spelling);
    costs.set(term, Math.min(cost, costs.get(term) ?? cost));
  }
  costs.delete(stemOf(word));
  const [counts, ...behind] = await Promise.all([
    countTerms(models, scopes, [...costs.keys()]),
    ...scopes.map((scope) => wordsFrom(models, scope, word.slice(0, spelt))),
  ]);
  const stem = stemOf(word);
  const known = [...counts].map(([term, passages]) => ({ term, passages }));
  for (const { term, passages } of word.length > 4 ? behind.flat() : []) {
    if (costs.has(term) || term === stem || !/^[a-z]{4,}$/.test(term)) continue;
    if (slips(stem, term) > 1 && slips(word, term) > 1) continue;
    const lost = term.length > stem.length ? 2 : 3;
    costs.set(term, isAnagram(stem, term) ? 1 : lost);
    known.push({ term, passages });
  }
  known.sort((one, other) => costs.get(one.term)! - costs.get(other.term)! || other.passages - one.passages);
  return known[0] ?? null;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const longestMended = 16;

const shortestChanged = 6;

/**
 * What is one slip away within the first letters: two swapped, one lost or doubled, and in longer words one changed. The likelier cost
 * less.
 */
function spellings(word: string): { spelling: string; cost: number }[] {
  if (word.length > longestMended) return [];
  const all: { spelling: string; cost: number }[] = [];
  const add = (spelling: string, cost: number) => all.push({ spelling, cost });
  for (let at = 0; at <= Math.min(spelt, word.length); at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after.length > 1) add(before + after[1]! + after[0]! + after.slice(2), 1);
    if (word.length <= 4) continue;
    if (after.length > 0) add(before + after.slice(1), before.at(-1) === after[0] ? 1 : 3);
    for (const letter of letters) {
      add(before + letter + after, at === 0 ? 4 : letter === before.at(-1) || letter === after[0] ? 1 : 2);
      if (after.length > 0 && at > 0 && word.length >= shortestChanged)
        add(before + letter + after.slice(1), 3);
    }
  }
  return all;
}

/** So many letters at the beginning are tried one by one; behind them the list of terms is read. */
const spelt = 3;
const mostRead = 150;

/** Words that begin so. */
async function wordsFrom(models: CountModels, scope: string, beginning: string): Promise<Known[]> {
  const from = termCountId(scope, beginning);
  const rows = (await models.termCounts.collection
    .find({ _id: { $gte: from, $lt: `${from}\u{ffff}` } } as never, { limit: mostRead })
    .toArray()) as unknown as TermCount[];
  return rows.map(({ _id, passages }) => ({ term: _id.slice(scope.length + 1), passages }));
}

function isAnagram(one: string, other: string): boolean {
  return [...one].sort().join('') === [...other].sort().join('');
}

async function countTerms(
  models: CountModels,
  scopes: readonly string[],
  terms: readonly string[],
): Promise<Map<string, number>> {
  const ids = scopes.flatMap((scope) => terms.map((term) => termCountId(scope, term)));
  const counts = new Map<string, number>();
  for (const some of inSlices(ids, mostAtOnce)) {
    const rows = (await models.termCounts.collection
      .find({ _id: { $in: some } } as never)
      .toArray()) as unknown as TermCount[];
    for (const { _id, passages } of rows) {
      const term = _id.slice(_id.indexOf(' ') + 1);
      if (passages > 0) counts.set(term, (counts.get(term) ?? 0) + passages);
    }
  }
  return counts;
}

const mostAtOnce = 1500;
/** For each pair the commonest that differs in one character that sounds alike; none where nothing does. */
async function nearestPairs(
  models: CountModels,
  scopes: readonly string[],
  folded: string,
  pairs: readonly string[],
): Promise<Map<string, Known>> {
  const guesses = new Map(pairs.map((pair) => [pair, guessesOf(pair)]));
  const terms = [...new Set([...guesses.values()].flat())];
  const best = new Map<string, Known>();
  if (terms.length === 0) return best;
  const counts = await countTerms(models, scopes, terms);
  for (const [pair, others] of guesses) {
    const known = others
      .map((term) => ({ term, passages: counts.get(term) ?? 0 }))
      .filter(({ term, passages }) => passages >= wellKnown || (passages > 0 && isWordIn(folded, pair, term)))
      .sort((one, other) => other.passages - one.passages);
    if (known[0]) best.set(pair, known[0]);
  }
  return best;
}

/** What the word list lacks is a word all the same when so many passages say it. */
const wellKnown = 4;

function guessesOf(pair: string): string[] {
  const [first, second] = [...pair] as [string, string];
  return [
    ...soundAlikes(first).map((character) => character + second),
    ...soundAlikes(second).map((character) => first + character),
  ];
}

/** Damerau's distance (letters added, lost, changed, or neighbours swapped), 3 for anything further apart than 2. */
export function slips(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(last[column]! + 1, now[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) least = Math.min(least, beforeLast[column - 2]! + 1);
      now.push(least);
    }
    beforeLast = last;
    last = now;
  }
  return Math.min(3, last[other.length]!);
}
