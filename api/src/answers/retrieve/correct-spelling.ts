import { fold } from '../../text/fold.ts';
import { segmenter, stemOf } from '../../text/terms.ts';
import { wordVectors } from '../embeddings/word-vectors.ts';
import type { QuestionUnit } from './analyse-question.ts';
import { namesIn } from './names-in.ts';
import type { SharedTermCounts } from './shared-reads.ts';

/** Maximum number of corrected words. */
const maxCorrected = 4;
/** Lengths of corrected Latin words. */
const minLength = 4;
const maxLength = 16;
/** Minimum length for removing any letter; from shorter words only one of a doubled letter is removed. */
const minLengthOfInsertion = 6;
/** Minimum length for replacing a vowel by another. Other substitutions are rare. */
const minLengthOfSubstitution = 8;
/** A pair of characters in this many passages counts as a word even if the dictionary lacks it. */
const minPassages = 4;

interface Asked {
  text: string;
  units: readonly (QuestionUnit & { passages: number })[];
}

/** A possible correction; the lower the cost, the more likely. */
interface Correction {
  spelling: string;
  /** The stem of `spelling`, or the pair of characters. */
  term: string;
  cost: number;
}

/**
 * Corrects the spelling of a question; returns it folded, null without corrections. A word that is in no
 * passage, and no name, is replaced by the most likely word that is in one: within one edit for Latin words,
 * and for two Chinese characters a pair of similar sound.
 *
 * @param count counts the passages with each of these terms.
 */
export async function correctSpelling(
  { text, units }: Asked,
  count: (terms: string[]) => Promise<Pick<SharedTermCounts, 'countOf'>>,
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
  const { countOf } = await count([...new Set(terms)]);
  let corrected = folded;
  for (const [word, all] of corrections) {
    const isWord = ({ term, spelling }: Correction) =>
      /^[a-z]/.test(word) || countOf(term) >= minPassages || isWordIn(corrected, word, spelling);
    const known = all
      .filter((correction) => countOf(correction.term) > 0 && isWord(correction))
      .sort((one, other) => one.cost - other.cost || countOf(other.term) - countOf(one.term));
    if (known[0]) corrected = replaceWord(corrected, word, known[0].spelling);
  }
  return corrected === folded ? null : corrected;
}

/** Replaces a word everywhere. Of two adjacent pairs, which share a character, only one is replaced. */
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

/** Cost of a transposition, a doubled letter or a hyphen. Common words are corrected only by these. */
const likely = 1;

/** All spellings within one transposition, deletion, insertion or substitution (Damerau–Levenshtein). */
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
    // Four-letter words are only transposed, and the first letter is rarely wrong.
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

/** Pairs of adjacent characters that the dictionary segments as single characters, as in misspelt words. */
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

/** Pairs in which one character is replaced by one of similar sound. */
function pairsLike(pair: string): Correction[] {
  const [first, second] = [...pair] as [string, string];
  return [
    ...soundAlikes(first).map((character) => character + second),
    ...soundAlikes(second).map((character) => first + character),
  ].map((spelling) => ({ spelling, term: spelling, cost: likely }));
}

/** Whether `meant` is a word of the dictionary, or part of one when it replaces `word`. */
function isWordIn(folded: string, word: string, meant: string): boolean {
  if ([...segmenter.segment(meant)].length === 1) return true;
  const at = folded.indexOf(word);
  return (
    at >= 0 &&
    (segmenter.segment(folded.replace(word, meant)).containing(at)?.segment.includes(meant) ?? false)
  );
}

/** Distance of characters of similar sound in GB 2312, the first level of which is sorted by pinyin. */
const maxDistance = 18;

const decoder = new TextDecoder('gb2312');
/** The 3,755 characters of the first level, in rows of 94 from 0xB0A1 on. */
const ordered = Array.from({ length: 3755 }, (_, at) =>
  decoder.decode(Uint8Array.of(0xb0 + Math.floor(at / 94), 0xa1 + (at % 94))),
);
const places = new Map(ordered.map((character, place) => [character, place]));

/** Common characters of similar sound; none for a rare character. */
function soundAlikes(character: string): string[] {
  const place = places.get(character);
  if (place === undefined) return [];
  return ordered
    .slice(Math.max(0, place - maxDistance), place + maxDistance)
    .filter((other) => other !== character);
}
