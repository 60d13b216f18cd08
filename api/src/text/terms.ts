import { stemmer } from 'stemmer';
import { type FoldedText, foldText } from './fold.ts';

/** A term of a text. */
export interface Term {
  term: string;
  /** Position in the original text, in UTF-16 units. */
  start: number;
  end: number;
  /** `pair`: two adjacent CJK characters; `character`: one; `word`: a stem; `number`: digits. */
  kind: 'pair' | 'character' | 'word' | 'number';
}

/** A contiguous run of characters of one script. */
export interface Run {
  /** The folded text of the run. */
  text: string;
  /** Position in the original text, in UTF-16 units. */
  start: number;
  end: number;
  script: 'cjk' | 'word' | 'number';
  /** Start of the run in `folded`. */
  from: number;
  /** The whole text, folded. */
  folded: FoldedText;
}

/** Segments Chinese into words by the dictionary of ICU. */
export const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々〇]`;
const letter = String.raw`[[\p{L}\p{M}]--${cjk}]`;
const word = `${letter}(?:${letter}|['’](?=${letter}))*`;
const runPattern = new RegExp(String.raw`(${cjk}+)|(\p{Nd}+(?:[.,]\p{Nd}+)*)|(${word})`, 'gv');
const wordHere = new RegExp(`(?<!${letter})${word}`, 'vy');

const pairOrCharacter = new RegExp(`^${cjk}{1,2}$`, 'v');

/** Whether `term` is a pair of CJK characters or a single one. */
export const isPairOrCharacter = (term: string): boolean => pairOrCharacter.test(term);

/** Splits a text into runs, in order, at punctuation, spaces and symbols; `OPENAI_BASE_URL` is three runs. */
export function runsOf(original: string, folded: FoldedText = foldText(original)): Run[] {
  const runs: Run[] = [];
  for (const found of folded.text.matchAll(runPattern)) {
    const from = found.index;
    const to = from + found[0].length;
    const script = found[1] === undefined ? (found[2] === undefined ? 'word' : 'number') : 'cjk';
    const [start, end] = [folded.starts[from]!, folded.ends[to - 1]!];
    runs.push({ text: found[0], start, end, script, from, folded });
  }
  return runs;
}

/** The words of a folded text that begin with these letters. The text must not contain apostrophes. */
export function wordsWith(beginning: string, folded: string): string[] {
  const words: string[] = [];
  for (let at = folded.indexOf(beginning); at >= 0; at = folded.indexOf(beginning, at + 1)) {
    wordHere.lastIndex = at;
    const found = wordHere.exec(folded)?.[0];
    if (found !== undefined) words.push(found);
  }
  return words;
}

/** The terms of a text: pairs and single characters of CJK, stems, numbers without separators. */
export function termsOf(original: string): Term[] {
  return runsOf(original).flatMap(termsOfRun);
}

/** The pairs of characters of a Chinese word, or its single character. */
export function pairsIn(word: string): string[] {
  if (word.length === 1) return [word];
  return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));
}

export function termsOfRun(run: Run): Term[] {
  const texts = termTexts(run);
  if (run.script !== 'cjk') return [{ term: texts[0]!, start: run.start, end: run.end, kind: run.script }];
  const { starts, ends } = run.folded;
  let next = run.from;
  return texts.map((term, at) => {
    const from = next;
    const isPair = at % 2 === 1;
    if (isPair) next += texts[at - 1]!.length;
    const kind = isPair ? 'pair' : 'character';
    return { term, start: starts[from]!, end: ends[from + term.length - 1]!, kind };
  });
}

/** The terms of a run without positions. In a CJK run, single characters and pairs alternate. */
export function termTexts({ text, script }: Pick<Run, 'text' | 'script'>): string[] {
  if (script !== 'cjk') return [script === 'word' ? stemOf(text) : numberOf(text)];
  const terms: string[] = [];
  let before = '';
  for (const character of text) {
    if (before !== '') terms.push(before + character);
    terms.push(character);
    before = character;
  }
  return terms;
}

const maxStems = 20_000;
const stems = new Map<string, string>();

/** The Porter stem of a folded word without a possessive suffix. Cached. */
export function stemOf(word: string): string {
  const cached = stems.get(word);
  if (cached !== undefined) return cached;
  if (stems.size >= maxStems) stems.clear();
  const stem = findStem(word);
  if (word.length <= maxCachedLength) stems.set(word, stem);
  return stem;
}

const maxCachedLength = 40;

function findStem(word: string): string {
  const bare = word.replace(/['’]s$/u, '').replace(/['’]/gu, '');
  return bare.length > 2 && /^[a-z]+$/.test(bare) ? stemmer(bare) : bare;
}

function numberOf(digits: string): string {
  return digits.replace(/,(?=\p{Nd}{3})/gu, '');
}
