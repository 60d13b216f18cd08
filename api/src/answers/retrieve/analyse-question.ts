import type { Language } from '../../contract/language.ts';
import { type Numeral, numeralsIn } from '../../text/numerals.ts';
import { regionalWordsIn } from '../../text/regional-words.ts';
import { chineseStopWords, englishStopWords } from '../../text/stop-words.ts';
import { pairsIn, type Run, runsOf, segmenter, stemOf, termsOfRun, termTexts } from '../../text/terms.ts';
import { identifiersIn } from '../index/passage-terms.ts';
import { noSynonyms, type SynonymMatch, type Synonyms } from './synonyms.ts';

/** The terms of one expression. A passage *says* it by the share of these terms that it contains. */
export interface TermGroup {
  terms: string[];
  /** Factor for that share: 1 for the question's words and the desk's synonyms, less for regional words. */
  strength: number;
  /** The expression, if it is a synonym. */
  surface?: string;
}

/** A unit of a question: a word, a name, a number or a pair of Chinese characters. */
export interface QuestionUnit {
  /** The distinct terms of all groups. */
  terms: string[];
  /**
   * The unit's own terms, then its synonyms or regional counterparts. The one that a passage says best
   * counts.
   */
  groups: TermGroup[];
  /** The unit as in the question, folded. */
  surface: string;
  /** Factor for its weight, 0–1: less than 1 for parts of names and for pairs that are no whole word. */
  share: number;
  /** Its place in the question; only for units with synonyms, which count as one word. */
  span?: { start: number; end: number };
}

export interface AnalysedQuestion {
  language: Language;
  /** Distinct units in order, without stop words. */
  units: QuestionUnit[];
  /** Distinct terms for BM25: words and pairs of characters, including stop words and synonyms. */
  words: string[];
  /** Distinct single Chinese characters. */
  characters: string[];
}

/** Limits, so that a question of 8,000 UTF-16 units costs no more than a short one. */
const maxQuestionLength = 2000;
const maxUnits = 48;
const maxWords = 64;
/** Values of `QuestionUnit.share`: a word of an identifier; a pair of characters of two words. */
const partOfName = 0.3;
const acrossWords = 0.25;
/** Two adjacent single-character words, which may be one word that the dictionary lacks. */
export const unknownWord = 0.6;
const singleCharacter = 0.4;
/** `TermGroup.strength` of regional counterparts. */
const sameElsewhere = 0.9;

/**
 * Splits a question into units, without stop words. The language is detected from its letters; `fallback` is
 * that of a question without letters.
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
  const overlaps = (some: readonly SynonymMatch[], { start, end }: Pick<SynonymMatch, 'start' | 'end'>) =>
    some.some((match) => start < match.end && end > match.start);
  const numerals = numeralsIn(runs)
    .filter((numeral) => !overlaps(found, numeral))
    .map((numeral) => ({ ...numeral, surface: numeral.value, ways: waysToWrite(numeral, runs) }));
  const matches = [...found, ...numerals];
  const units = new Map<string, QuestionUnit>();
  const add = (unit: QuestionUnit) => {
    const key = unit.terms.join(' ');
    if (!units.has(key) && units.size < maxUnits) units.set(key, unit);
  };
  for (const identifier of identifiers)
    if (!overlaps(matches, identifier)) add(unitOf(identifier.term, [ownWords([identifier.term])], 1));
  for (const match of found) add(unitOfSynonyms(match, 1));
  for (const one of numerals) add(unitOfSynonyms(one, one.surface.length > 1 ? 1 : singleCharacter));
  for (const [at, run] of runs.entries()) {
    const name = identifiers.find(({ start, end }) => run.start >= start && run.end <= end);
    if (run.script === 'cjk') for (const unit of unitsOfCjk(run, partsIn(matches, at))) add(unit);
    else if (!overlaps(matches, run) && !isStopRun(run) && name?.term !== run.text)
      add(unitOf(run.text, [ownWords(termTexts(run))], name ? partOfName : 1));
  }
  const terms = runs.flatMap(termsOfRun);
  const words = terms.filter(({ kind }) => kind !== 'character').map(({ term }) => term);
  const others = [
    ...found.flatMap(({ ways }) => ways.slice(1)),
    ...numerals.flatMap(({ ways }) => ways),
  ].flatMap((way) => way.terms);
  return {
    language: languageOf(runs, fallback),
    units: [...units.values()],
    words: [...new Set([...identifiers.map(({ term }) => term), ...words, ...others])].slice(0, maxWords),
    characters: charactersOf(runs),
  };
}

/**
 * The terms of a number in digits, and those of the number as written, for passages that were indexed before
 * numbers in words had terms. A single Chinese digit is paired with the next character.
 */
function waysToWrite({ value, parts }: Numeral, runs: readonly Run[]): SynonymMatch['ways'] {
  const terms = parts.flatMap(({ run, from, to }) => {
    const { text, script } = runs[run]!;
    if (script !== 'cjk') return termTexts({ text: text.slice(from, to), script });
    return pairsIn(text.slice(from, Math.max(to, from + 2)));
  });
  return [
    { surface: value, terms: [value] },
    { surface: value, terms },
  ];
}

function unitOf(surface: string, groups: TermGroup[], share: number): QuestionUnit {
  return { terms: [...new Set(groups.flatMap(({ terms }) => terms))], groups, surface, share };
}

const ownWords = (terms: string[]): TermGroup => ({ terms, strength: 1 });

function unitOfSynonyms({ start, end, surface, ways }: SynonymMatch, share: number): QuestionUnit {
  const groups = ways.map((way) => ({ ...way, strength: 1 }));
  return { ...unitOf(surface, groups, share), span: { start, end } };
}

function partsIn(matches: readonly SynonymMatch[], at: number): SynonymMatch['parts'] {
  return matches.flatMap(({ parts }) => parts).filter(({ run }) => run === at);
}

/** Chinese from one Chinese character per four words on, as Chinese texts often contain English names. */
export function languageOf(runs: readonly Run[], fallback: Language): Language {
  const chinese = runs.filter((run) => run.script === 'cjk').reduce((sum, run) => sum + run.text.length, 0);
  const words = runs.filter((run) => run.script === 'word').length;
  if (chinese === 0 && words === 0) return fallback;
  return chinese > 0 && chinese * 4 >= words ? 'zh' : 'en';
}

const stopCharacters: ReadonlySet<string> = new Set(chineseStopWords.filter((word) => word.length === 1));

function charactersOf(runs: readonly Run[]): string[] {
  const all = runs.flatMap(({ script, text }) => (script === 'cjk' ? [...text] : []));
  return [...new Set(all)].filter((character) => !stopCharacters.has(character)).slice(0, maxWords);
}

/** Whether a run is an English stop word or a single letter. */
export function isStopRun({ script, text }: Run): boolean {
  return script === 'word' && (englishStopWords.has(stemOf(text)) || text.length < 2);
}

/** Units of a Chinese run except `taken`: words with regional counterparts, else pairs of characters. */
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
    const surface = run.text.slice(from, to);
    const elsewhere = others.map((other) => ({ terms: pairsIn(other), strength: sameElsewhere }));
    units.push(unitOf(surface, [ownWords(pairsIn(surface)), ...elsewhere], 1));
    free.fill(false, from, to);
  }
  for (let at = 0; at < run.text.length; at += 1) {
    if (!free[at]) continue;
    const isPair = free[at + 1] === true;
    if (!isPair && free[at - 1] === true) continue;
    const surface = run.text.slice(at, isPair ? at + 2 : at + 1);
    units.push(unitOf(surface, [ownWords([surface])], isPair ? pairShare(at, edges) : singleCharacter));
  }
  return units;
}

/** Marks the free occurrences of a word as not free. */
function cutOut(text: string, word: string, free: boolean[]): void {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isFree = free.slice(at, at + word.length).every(Boolean);
    if (isFree) free.fill(false, at, at + word.length);
  }
}

const particles: ReadonlySet<string> = new Set('的地得了着过吗呢吧啊把');

/** Marks particles as not free, and other stop characters in words of nothing else (not 用 in 信用卡). */
function cutCharacters(word: string, start: number, free: boolean[]): void {
  const isEmpty = [...word].every((character) => stopCharacters.has(character));
  for (let at = 0; at < word.length; at += 1) {
    const character = word[at]!;
    if (particles.has(character) || (isEmpty && stopCharacters.has(character))) free[start + at] = false;
  }
}

/** The share of the pair at `at`, by the edges of words that it spans. */
function pairShare(at: number, edges: ReadonlySet<number>): number {
  if (!edges.has(at + 1)) return 1;
  return edges.has(at) && edges.has(at + 2) ? unknownWord : acrossWords;
}
