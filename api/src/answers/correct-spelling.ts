import { fold } from '../text/fold.ts';
import { stemOf } from '../text/terms.ts';
import type { QuestionUnit } from './analyse-question.ts';
import type { KnowledgeModels } from './knowledge-models.ts';
import { namesIn } from './names-in.ts';
import type { SharedTermCounts } from './shared-reads.ts';
import { type TermCount, termCountId } from './term-count.ts';

const mostCorrected = 4;
const mostAtOnce = 1500;
const shortest = 4;
const longest = 16;
/** From this length on one letter too many is a slip, in shorter words only a doubled one: another leads to another word too easily. */
const shortestAdded = 6;
/** The same of a vowel for another one. Other letters are seldom mistaken, and mostly make another word. */
const shortestChanged = 8;
/** A pair of characters that is no word of the dictionary is one all the same when so many passages say it. */
const wellKnown = 4;

interface Asked {
  text: string;
  units: readonly (QuestionUnit & { passages: number })[];
}

type CountModels = Pick<KnowledgeModels, 'termCounts'>;

/** What may have been meant, the likelier the smaller its cost. */
interface Guess {
  /** As it is written, not its stem. */
  spelling: string;
  term: string;
  cost: number;
}

/**
 * The question, folded, with its misspelt words corrected; null where none is. Corrected are words that stand in no document and are no
 * names, each to the likeliest one that does: Latin words one slip away, pairs of Chinese characters that sound alike.
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
  const guesses = new Map<string, Guess[]>();
  for (const { surface } of unknown) {
    if (guesses.size === mostCorrected) break;
    if (loose.has(surface)) guesses.set(surface, pairsLike(surface));
    else if (/^[a-z]+$/.test(surface) && surface.length >= shortest && !names.has(surface))
      guesses.set(surface, spellingsOf(surface));
  }
  const terms = [...guesses.values()].flat().map(({ term }) => term);
  if (terms.length === 0) return null;
  const counts = await countTerms(termCounts, scopes, [...new Set(terms)]);
  let corrected = folded;
  for (const [word, all] of guesses) {
    const countOf = ({ term }: Guess) => counts.get(term) ?? 0;
    const isWord = (guess: Guess) =>
      /^[a-z]/.test(word) || countOf(guess) >= wellKnown || isWordIn(corrected, word, guess.spelling);
    const known = all
      .filter((guess) => counts.has(guess.term) && isWord(guess))
      .sort((one, other) => one.cost - other.cost || countOf(other) - countOf(one));
    if (known[0]) corrected = replaceWord(corrected, word, known[0].spelling);
  }
  return corrected === folded ? null : corrected;
}

/** Neighbouring pairs share a character: after one is corrected the other is not found any more. */
function replaceWord(text: string, word: string, spelling: string): string {
  return /^[a-z]/.test(word)
    ? text.replaceAll(new RegExp(`(?<![a-z])${word}(?![a-z])`, 'g'), spelling)
    : text.replaceAll(word, spelling);
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const isVowel = (letter: string) => 'aeiou'.includes(letter);

/** Every spelling that is one slip away (Damerau): two letters swapped, one lost, added or changed. */
function spellingsOf(word: string): Guess[] {
  if (word.length > longest) return [];
  const own = stemOf(word);
  const guesses: Guess[] = [];
  const add = (spelling: string, cost: number) => {
    const term = stemOf(spelling);
    if (term !== own) guesses.push({ spelling, term, cost });
  };
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after.length > 1) add(before + after[1]! + after[0]! + after.slice(2), 1);
    // In words of four letters only two swapped are a slip. A word's first letter is seldom wrong.
    if (word.length === shortest || at === 0) continue;
    const [last, next] = [before.at(-1), after[0]];
    if (next === last) add(before + after.slice(1), 1);
    else if (next !== undefined && word.length >= shortestAdded) add(before + after.slice(1), 3);
    for (const letter of letters) {
      add(before + letter + after, letter === last || letter === next ? 1 : 2);
      if (next !== undefined && word.length >= shortestChanged && isVowel(next) && isVowel(letter))
        add(before + letter + after.slice(1), 3);
    }
  }
  return guesses;
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Neighbouring characters that are no word and part of none, as those of a misspelt word. */
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

function pairsLike(pair: string): Guess[] {
  const [first, second] = [...pair] as [string, string];
  return [
    ...soundAlikes(first).map((character) => character + second),
    ...soundAlikes(second).map((character) => first + character),
  ].map((spelling) => ({ spelling, term: spelling, cost: 1 }));
}

/** Whether `meant` is a word, by itself or in place of `word`. */
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
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    const rows = (await termCounts.collection
      .find({ _id: { $in: ids.slice(at, at + mostAtOnce) } } as never)
      .toArray()) as unknown as TermCount[];
    for (const { _id, passages } of rows) {
      const term = _id.slice(_id.indexOf(' ') + 1);
      if (passages > 0) counts.set(term, (counts.get(term) ?? 0) + passages);
    }
  }
  return counts;
}

/** The first level of GB 2312 is in the order of pinyin: characters so near in it sound the same or nearly so. */
const near = 18;

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

/** Common characters that sound like `character`, or nearly so; none for a rare character. */
function soundAlikes(character: string): string[] {
  const place = places.get(character);
  if (place === undefined) return [];
  return ordered.slice(Math.max(0, place - near), place + near).filter((other) => other !== character);
}
