import { fold } from '../../text/fold.ts';
import { segmenter, stemOf } from '../../text/terms.ts';
import { wordVectors } from '../embeddings/word-vectors.ts';
import { type TermCount, termCountId } from '../index/term-count.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import type { QuestionUnit } from './analyse-question.ts';
import { namesIn } from './names-in.ts';
import type { SharedTermCounts } from './shared-reads.ts';

const maxCorrected = 4;
const maxIdsPerQuery = 1500;
const minLength = 4;
const maxLength = 16;
/** Minimum length of a word in which any letter may be an insertion; in shorter ones only a doubled letter, as others often make another word. */
const minLengthOfInsertion = 6;
/** Minimum length of a word in which one vowel may replace another. Other substitutions are rare and mostly make another word. */
const minLengthOfSubstitution = 8;
/** A pair of characters in this many passages is a word even if the dictionary lacks it. */
const minPassages = 4;

interface Asked {
  text: string;
  units: readonly (QuestionUnit & { passages: number })[];
}

type CountModels = Pick<KnowledgeModels, 'termCounts'>;

/** A possible correction; the lower the cost, the more likely. */
interface Correction {
  /** The word itself, not its stem. */
  spelling: string;
  term: string;
  cost: number;
}

/**
 * The question, folded, with its spelling corrected; null without corrections. Words that are in no document and are no names are replaced by the most
 * likely word that is: Latin words within one edit, pairs of Chinese characters that sound alike.
 */
export async function correctSpelling(
  { termCounts }: CountModels,
  { text, units }: Asked,
  { scopes }: Pick<SharedTermCounts, 'scopes'>,
): Promise<string | null> {
  const unknown = units.filter(({ passages, groups }) => passages === 0 && groups.length === 1);
  const names = namesIn(text);
  const folded = fold(text);
  const loose = unknown.length > 0 ? loosePairsIn(folded) : new Set<string>();
  const corrections = new Map<string, Correction[]>();
  for (const { surface } of unknown) {
    if (corrections.size === maxCorrected) break;
    if (loose.has(surface)) corrections.set(surface, pairsLike(surface));
    else if (/^[a-z]+(?:-[a-z]+)+$/.test(surface)) corrections.set(surface, [joined(surface)]);
    else if (/^[a-z]+$/.test(surface) && surface.length >= minLength && !names.has(surface))
      corrections.set(
        surface,
        spellingsOf(surface).filter(({ cost }) => cost === likely || wordVectors().rarityOf(surface) === 1),
      );
  }
  const terms = [...corrections.values()].flat().map(({ term }) => term);
  if (terms.length === 0) return null;
  const counts = await countTerms(termCounts, scopes, [...new Set(terms)]);
  let corrected = folded;
  for (const [word, all] of corrections) {
    const countOf = ({ term }: Correction) => counts.get(term) ?? 0;
    const isWord = (correction: Correction) =>
      /^[a-z]/.test(word) ||
      countOf(correction) >= minPassages ||
      isWordIn(corrected, word, correction.spelling);
    const known = all
      .filter((correction) => counts.has(correction.term) && isWord(correction))
      .sort((one, other) => one.cost - other.cost || countOf(other) - countOf(one));
    if (known[0]) corrected = replaceWord(corrected, word, known[0].spelling);
  }
  return corrected === folded ? null : corrected;
}

/** Adjacent pairs share a character: after one is replaced the other one is not found any more. */
function replaceWord(text: string, word: string, spelling: string): string {
  return /^[a-z]/.test(word)
    ? text.replaceAll(new RegExp(`(?<![a-z])${word}(?![a-z])`, 'g'), spelling)
    : text.replaceAll(word, spelling);
}

/** A word without its hyphens. */
function joined(word: string): Correction {
  const spelling = word.replaceAll('-', '');
  return { spelling, term: stemOf(spelling), cost: likely };
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const isVowel = (letter: string) => 'aeiou'.includes(letter);

/** Cost of the likeliest edits, a transposition, a doubled letter or a hyphen: the only ones of a common word, which a document need not say. */
const likely = 1;

/** All spellings within one edit (Damerau): a transposition, deletion, insertion or substitution. */
function spellingsOf(word: string): Correction[] {
  if (word.length > maxLength) return [];
  const own = stemOf(word);
  const corrections: Correction[] = [];
  const add = (spelling: string, cost: number) => {
    const term = stemOf(spelling);
    if (term !== own) corrections.push({ spelling, term, cost });
  };
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after.length > 1) add(before + after[1]! + after[0]! + after.slice(2), likely);
    if (before !== '' && after !== '') add(`${before}-${after}`, likely);
    // Words of four letters: only transpositions. The first letter is rarely wrong.
    if (word.length === minLength || at === 0) continue;
    const [last, next] = [before.at(-1), after[0]];
    if (next === last) add(before + after.slice(1), likely);
    else if (next !== undefined && word.length >= minLengthOfInsertion) add(before + after.slice(1), 3);
    for (const letter of letters) {
      add(before + letter + after, letter === last || letter === next ? likely : 2);
      if (next !== undefined && word.length >= minLengthOfSubstitution && isVowel(next) && isVowel(letter))
        add(before + letter + after.slice(1), 3);
    }
  }
  return corrections;
}

/** Pairs of adjacent characters outside of words, as in misspelt words. */
function loosePairsIn(folded: string): Set<string> {
  const loose = new Set<string>();
  let before = '';
  for (const { segment } of segmenter.segment(folded)) {
    const single = /^\p{Script=Han}$/u.test(segment) ? segment : '';
    if (before !== '' && single !== '') loose.add(before + single);
    before = single;
  }
  return loose;
}

function pairsLike(pair: string): Correction[] {
  const [first, second] = [...pair] as [string, string];
  return [
    ...soundAlikes(first).map((character) => character + second),
    ...soundAlikes(second).map((character) => first + character),
  ].map((spelling) => ({ spelling, term: spelling, cost: likely }));
}

/** Whether `meant` is a word, alone or in place of `word`. */
function isWordIn(folded: string, word: string, meant: string): boolean {
  if ([...segmenter.segment(meant)].length === 1) return true;
  const at = folded.indexOf(word);
  return (
    at >= 0 &&
    (segmenter.segment(folded.replace(word, meant)).containing(at)?.segment.includes(meant) ?? false)
  );
}

async function countTerms(
  termCounts: CountModels['termCounts'],
  scopes: readonly string[],
  terms: readonly string[],
): Promise<Map<string, number>> {
  const ids = scopes.flatMap((scope) => terms.map((term) => termCountId(scope, term)));
  const counts = new Map<string, number>();
  for (let at = 0; at < ids.length; at += maxIdsPerQuery) {
    const rows = (await termCounts.collection
      .find({ _id: { $in: ids.slice(at, at + maxIdsPerQuery) } } as never)
      .toArray()) as unknown as TermCount[];
    for (const { _id, passages } of rows) {
      const term = _id.slice(_id.indexOf(' ') + 1);
      if (passages > 0) counts.set(term, (counts.get(term) ?? 0) + passages);
    }
  }
  return counts;
}

/** The first level of GB 2312 is sorted by pinyin: characters within this distance sound similar. */
const maxDistance = 18;

const ordered = firstLevel();
const places = new Map(ordered.map((character, place) => [character, place]));

function firstLevel(): string[] {
  const decoder = new TextDecoder('gb2312');
  const characters: string[] = [];
  for (let row = 0xb0; row <= 0xd7; row += 1)
    for (let cell = 0xa1; cell <= (row === 0xd7 ? 0xf9 : 0xfe); cell += 1)
      characters.push(decoder.decode(Uint8Array.of(row, cell)));
  return characters;
}

/** Common characters that sound similar to `character`; none for a rare character. */
function soundAlikes(character: string): string[] {
  const place = places.get(character);
  if (place === undefined) return [];
  return ordered
    .slice(Math.max(0, place - maxDistance), place + maxDistance)
    .filter((other) => other !== character);
}
