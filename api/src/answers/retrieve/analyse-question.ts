import type { Language } from '../../contract/language.ts';
import { type Numeral, numeralsIn } from '../../text/numerals.ts';
import { regionalWordsIn } from '../../text/regional-words.ts';
import { chineseStopWords, englishStopWords } from '../../text/stop-words.ts';
import { pairsIn, type Run, runsOf, segmenter, stemOf, termsOfRun, termTexts } from '../../text/terms.ts';
import { identifiersIn } from '../index/passage-terms.ts';
import { noSynonyms, type SynonymMatch, type Synonyms } from './synonyms.ts';

/** Terms of one expression; a passage says it to the share of them that it contains. */
export interface TermGroup {
  terms: string[];
  /** 1 for the question's own words and the desk's synonyms, less for regional counterparts. */
  strength: number;
  /** The expression, if it is a synonym. */
  surface?: string;
}

/** A word, a name or a pair of Chinese characters of a question. */
export interface QuestionUnit {
  /** All terms of its groups. */
  terms: string[];
  /** The unit's own terms, then its synonyms or regional counterparts. A passage says it to the extent of its best group. */
  groups: TermGroup[];
  surface: string;
  /** Weight compared with other units of the same document frequency: 1, less for pairs across the edge of a word. */
  share: number;
  /** Its place in the question, if it has synonyms: it is judged as one word. */
  span?: { start: number; end: number };
}

export interface AnalysedQuestion {
  language: Language;
  /** Distinct units in order, without stop words. */
  units: QuestionUnit[];
  /** All distinct words and pairs of characters, with stop words and synonyms. */
  words: string[];
  /** Distinct single Chinese characters. */
  characters: string[];
}

const maxQuestionLength = 2000;
const maxUnits = 48;
const maxWords = 64;
const partOfName = 0.3;
const acrossWords = 0.25;
/** The share of two characters that may be a word unknown to the dictionary. */
export const unknownWord = 0.6;
const singleCharacter = 0.4;
const sameElsewhere = 0.9;

/**
 * Splits a question into words, names, numbers and pairs of Chinese characters. At most `maxUnits` units, so that a question of 8,000
 * characters costs no more than a short one. The language is detected from its letters; `fallback` without letters.
 */
export function analyseQuestion(
  text: string,
  fallback: Language,
  synonyms: Synonyms = noSynonyms,
): AnalysedQuestion {
  const asked = text.slice(0, maxQuestionLength);
  const identifiers = identifiersIn(asked);
  const runs = runsOf(asked);
  const found = synonyms(runs);
  const overlaps = (some: readonly SynonymMatch[], start: number, end: number) =>
    some.some((match) => start < match.end && end > match.start);
  const numerals = numeralsIn(runs)
    .filter(({ start, end }) => !overlaps(found, start, end))
    .map((numeral) => ({ ...numeral, surface: numeral.value, ways: waysToWrite(numeral, runs) }));
  const matches = [...found, ...numerals];
  const units = new Map<string, QuestionUnit>();
  const add = (unit: QuestionUnit) => {
    const key = unit.terms.join(' ');
    if (!units.has(key) && units.size < maxUnits) units.set(key, unit);
  };
  const isMatched = (start: number, end: number) => overlaps(matches, start, end);
  for (const { term, start, end } of identifiers) if (!isMatched(start, end)) add(unitOf([term], term, 1));
  for (const match of found) add(unitOfSynonyms(match));
  for (const one of numerals)
    add({ ...unitOfSynonyms(one), share: one.surface.length > 1 ? 1 : singleCharacter });
  for (const [at, run] of runs.entries()) {
    const name = identifiers.find(({ start, end }) => run.start >= start && run.end <= end);
    if (run.script === 'cjk') for (const unit of unitsOfCjk(run, partsIn(matches, at))) add(unit);
    else if (isMatched(run.start, run.end)) continue;
    else if (name?.term !== run.text)
      for (const unit of unitsOfWord(run)) add(name ? { ...unit, share: partOfName } : unit);
  }
  const terms = runs.flatMap(termsOfRun);
  const words = terms.filter(({ kind }) => kind !== 'character').map(({ term }) => term);
  const others = [...found.map(({ ways }) => ways.slice(1)), ...numerals.map(({ ways }) => ways)].flatMap(
    (ways) => ways.flatMap((way) => way.terms),
  );
  return {
    language: languageOf(runs, fallback),
    units: [...units.values()],
    words: [...new Set([...identifiers.map(({ term }) => term), ...words, ...others])].slice(0, maxWords),
    characters: charactersOf(runs),
  };
}

/** A number in digits and as the question has it, which documents say that were indexed when only digits were numbers; a single character with the next one. */
function waysToWrite({ value, parts }: Numeral, runs: readonly Run[]): SynonymMatch['ways'] {
  const terms = parts.flatMap(({ run, from, to }) => {
    const { text, script } = runs[run]!;
    if (script !== 'cjk') return termTexts({ text: text.slice(from, to), script });
    return pairsIn(text.slice(from, Math.max(to, from + 2)));
  });
  return [value, terms].map((one) => ({ surface: value, terms: [one].flat() }));
}

function unitOf(terms: string[], surface: string, share: number): QuestionUnit {
  return { terms, groups: [{ terms, strength: 1 }], surface, share };
}

function unitOfSynonyms({ start, end, surface, ways }: SynonymMatch): QuestionUnit {
  const groups = ways.map((way) => ({ ...way, strength: 1 }));
  const terms = [...new Set(ways.flatMap((way) => way.terms))];
  return { terms, groups, surface, share: 1, span: { start, end } };
}

function partsIn(matches: readonly SynonymMatch[], at: number): SynonymMatch['parts'] {
  return matches.flatMap(({ parts }) => parts).filter(({ run }) => run === at);
}

/** Chinese from a small share of Chinese characters on: Chinese questions contain English names more often than the reverse. */
export function languageOf(runs: readonly Run[], fallback: Language): Language {
  const chinese = runs.filter((run) => run.script === 'cjk').reduce((sum, run) => sum + run.text.length, 0);
  const words = runs.filter((run) => run.script === 'word').length;
  if (chinese === 0 && words === 0) return fallback;
  return chinese * 4 >= words ? (chinese > 0 ? 'zh' : 'en') : 'en';
}

const stopCharacters: ReadonlySet<string> = new Set(chineseStopWords.filter((word) => word.length === 1));

function charactersOf(runs: readonly Run[]): string[] {
  const all = runs.flatMap(({ script, text }) => (script === 'cjk' ? [...text] : []));
  return [...new Set(all)].filter((character) => !stopCharacters.has(character)).slice(0, maxWords);
}

function unitsOfWord(run: Run): QuestionUnit[] {
  if (isStopRun(run)) return [];
  return [unitOf(termTexts(run), run.text, 1)];
}

/** Whether it is an English word without content, or a single letter. */
export function isStopRun({ script, text }: Run): boolean {
  return script === 'word' && (englishStopWords.has(stemOf(text)) || text.length < 2);
}

/** `taken` are parts of other units. Words with regional counterparts are one unit each; the rest becomes pairs of characters. */
function unitsOfCjk(run: Run, taken: SynonymMatch['parts']): QuestionUnit[] {
  const free = new Array<boolean>(run.text.length).fill(true);
  const words = [...segmenter.segment(run.text)];
  const edges = new Set([...words.map(({ index }) => index), run.text.length]);
  for (const word of chineseStopWords) if (word.length > 1) cutOut(run.text, word, free);
  for (const { index, segment } of words) cutCharacters(segment, index, free);
  for (const { from, to } of taken) free.fill(false, from, to);
  const units: QuestionUnit[] = [];
  for (const { from, to, others } of regionalWordsIn(run.text)) {
    if (!free.slice(from, to).every(Boolean)) continue;
    const own = pairsIn(run.text.slice(from, to));
    const elsewhere = others.map((other) => ({ terms: pairsIn(other), strength: sameElsewhere }));
    const groups = [{ terms: own, strength: 1 }, ...elsewhere];
    const terms = [...new Set(groups.flatMap((group) => group.terms))];
    units.push({ terms, groups, surface: run.text.slice(from, to), share: 1 });
    free.fill(false, from, to);
  }
  for (let at = 0; at < run.text.length; at += 1) {
    if (!free[at]) continue;
    const pair = run.text.slice(at, at + 2);
    if (free[at + 1] === true) units.push(unitOf([pair], pair, pairShare(at, edges)));
    else if (free[at - 1] !== true) units.push(unitOf([run.text[at]!], run.text[at]!, singleCharacter));
  }
  return units;
}

/** Marks all occurrences of a word as not free. */
function cutOut(text: string, word: string, free: boolean[]): void {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isFree = free.slice(at, at + word.length).every(Boolean);
    if (isFree) free.fill(false, at, at + word.length);
  }
}

const particles: ReadonlySet<string> = new Set('的地得了着过吗呢吧啊把');

/** Marks single characters without content as not free: particles anywhere, others unless they are part of a content word (用 in 信用卡). */
function cutCharacters(word: string, start: number, free: boolean[]): void {
  const isEmpty = [...word].every((character) => stopCharacters.has(character));
  for (let at = 0; at < word.length; at += 1) {
    const character = word[at]!;
    if (particles.has(character) || (isEmpty && stopCharacters.has(character))) free[start + at] = false;
  }
}

/** Full weight within a word; two single-character words may be a name unknown to the dictionary. */
function pairShare(at: number, edges: ReadonlySet<number>): number {
  if (!edges.has(at + 1)) return 1;
  return edges.has(at) && edges.has(at + 2) ? unknownWord : acrossWords;
}
