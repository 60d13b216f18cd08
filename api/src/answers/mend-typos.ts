import type { KnowledgeModels } from '../models/knowledge-models.ts';
import { type TermCount, termCountId } from '../models/term-count.ts';
import { inSlices } from '../services/in-slices.ts';
import type { CountedUnit } from './find-candidates.ts';
import { fold } from './fold.ts';
import { soundAlikes } from './sound-alikes.ts';
import { questionWords } from './stop-words.ts';
import { stemOf } from './terms.ts';

const mostMended = 4;

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
  units: readonly CountedUnit[],
  scopes: readonly string[],
): Promise<Mended[]> {
  const unknown = units.filter(({ passages, groups }) => passages === 0 && groups.length === 1);
  const surfaces = unknown.map(({ surface }) => surface);
  const latin = surfaces.filter((surface) => /^[a-z]{4,}$/.test(surface));
  const questions = latin.flatMap((word) => {
    const meant = questionWordFor(word);
    return meant === null ? [] : [{ word, meant }];
  });
  const words = latin.filter((word) => !questions.some((one) => one.word === word)).slice(0, mostMended);
  const pairs = surfaces.filter((surface) => /^\p{Script=Han}{2}$/u.test(surface)).slice(0, mostMended);
  const [near, alike] = await Promise.all([
    Promise.all(words.map((word) => nearestWord(models, scopes, word))),
    nearestPairs(models, scopes, pairs),
  ]);
  const found = words.flatMap((word, at) => (near[at] ? [{ word, meant: near[at].term }] : []));
  return [...questions, ...found, ...withoutOverlaps(pairs, alike)];
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
  return distance === 1 && [...word].sort().join('') === [...other].sort().join('');
}

/** The commonest word that is one slip away. */
async function nearestWord(
  models: CountModels,
  scopes: readonly string[],
  word: string,
): Promise<Known | null> {
  const stem = stemOf(word);
  const terms = new Set([...spellings(word), ...(stem === word ? [] : spellings(stem))].map(stemOf));
  terms.delete(stem);
  const counts = await countTerms(models, scopes, [...terms]);
  const known = [...counts].map(([term, passages]) => ({ term, passages }));
  return known.sort((one, other) => other.passages - one.passages)[0] ?? null;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const longestMended = 16;

/** All that is one slip away: two letters swapped, and in longer words one lost, added or changed. */
function spellings(word: string): string[] {
  if (word.length > longestMended) return [];
  const all: string[] = [];
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after.length > 1) all.push(before + after[1]! + after[0]! + after.slice(2));
    if (word.length <= 4) continue;
    if (after.length > 0) all.push(before + after.slice(1));
    for (const letter of letters) {
      all.push(before + letter + after);
      if (after.length > 0) all.push(before + letter + after.slice(1));
    }
  }
  return all;
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
      .filter(({ passages }) => passages > 0)
      .sort((one, other) => other.passages - one.passages);
    if (known[0]) best.set(pair, known[0]);
  }
  return best;
}

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
