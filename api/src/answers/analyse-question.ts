import type { Language } from '../contract.ts';
import { type ConceptMatch, conceptsIn } from './concepts.ts';
import { cutCharacters, cutOut } from './cut-stop-words.ts';
import { isLight } from './light-words.ts';
import { identifiersIn } from './passage-terms.ts';
import { regionalWordsIn } from './regional-words.ts';
import { chineseStopWords, englishStopWords } from './stop-words.ts';
import { type Run, runsOf, stemOf, termsOfRun } from './terms.ts';

/** Terms that together say a thing; a passage says it as far as they stand in it. */
export interface TermGroup {
  terms: string[];
  /** 1 for the question's own words, less for what only means the same, more or less. */
  strength: number;
}

/** One thing that a question says. */
export interface QuestionUnit {
  /** What it is looked up by; a passage has something of it when it has any of these. */
  terms: string[];
  /** How it can be said, the question's own way first. A passage says it as well as the best of these is said. */
  groups: TermGroup[];
  surface: string;
  /** How much it counts beside others of equal rarity: 1, less for what may be an accident of cutting. */
  share: number;
}

export interface AnalysedQuestion {
  language: Language;
  /** What the question asks about, in order, each once. */
  units: QuestionUnit[];
  /** Every word and pair of characters that it says, stop words included, each once. */
  words: string[];
}

/**
 * Takes a question apart: concepts of the desk first, the longest phrase at each place; stop words out; what remains as pairs of
 * Chinese characters, stems and numbers. At most `mostUnits` units, so that a question of 8,000 characters costs what a short
 * one does. The language is that of its letters, `fallback` when it has none.
 */
export function analyseQuestion(text: string, fallback: Language): AnalysedQuestion {
  const asked = text.slice(0, longestQuestion);
  const identifiers = identifiersIn(asked);
  const allRuns = runsOf(asked);
  const runs = allRuns.filter(
    (run) => !identifiers.some(({ start, end }) => run.start >= start && run.end <= end),
  );
  const units = new Map<string, QuestionUnit>();
  const add = (unit: QuestionUnit) => {
    const key = unit.terms.join(' ');
    if (!units.has(key) && units.size < mostUnits) units.set(key, unit);
  };
  for (const { term } of identifiers) add(unitOf([term], term, 1));
  for (const { start, end } of identifiers) {
    // A name may be written otherwise, or only in part: its words count a little by themselves.
    const inside = allRuns.filter((run) => run.start >= start && run.end <= end);
    if (inside.length > 1)
      for (const run of inside)
        for (const unit of wordUnits(run)) add({ ...unit, share: unit.share * partOfName });
  }
  const concepts = chooseConcepts(runs);
  let covered = 0;
  for (const [index, run] of runs.entries()) {
    const here = concepts.filter((match) => match[0]!.run === index);
    for (const matches of here) {
      add(conceptUnit(runs, matches));
    }
    if (run.script === 'cjk')
      for (const unit of plainUnits(
        run,
        here.map(([first]) => first!),
      ))
        add(unit);
    else if (index >= covered && here.length === 0) for (const unit of wordUnits(run)) add(unit);
    covered = Math.max(covered, ...here.map(([first]) => index + first!.runs));
  }
  const language = languageOf(runs, fallback);
  return { language, units: [...units.values()], words: wordsOf(allRuns) };
}

const mostWords = 64;

function wordsOf(runs: readonly Run[]): string[] {
  const terms = runs.flatMap(termsOfRun).filter(({ kind }) => kind !== 'character');
  return [...new Set(terms.map(({ term }) => term))].slice(0, mostWords);
}

const partOfName = 0.3;
const sameConcept = 0.95;
const sameElsewhere = 0.9;

function unitOf(terms: string[], surface: string, share: number): QuestionUnit {
  return { terms, groups: [{ terms, strength: 1 }], surface, share };
}

function conceptUnit(runs: readonly Run[], matches: readonly ConceptMatch[]): QuestionUnit {
  const first = matches[0]!;
  const surface = surfaceOf(runs, first);
  const literal = literalTerms(runs, first);
  const others = runs[first.run]!.script === 'cjk' ? elsewhere(surface) : [];
  const concepts = matches.map(({ term }) => term);
  const groups = [
    ...(literal.length > 0 ? [{ terms: literal, strength: 1 }] : []),
    ...others,
    ...concepts.map((term) => ({ terms: [term], strength: sameConcept })),
  ];
  const share = generic.has(first.term) ? 0.4 : isLight(surface) ? lightShare * 2 : 1;
  return { terms: concepts, groups, surface, share };
}

/** What a word is called in other regions, as groups of pairs. */
function elsewhere(word: string): TermGroup[] {
  return regionalWordsIn(word)
    .filter(({ from, to }) => from === 0 && to === word.length)
    .flatMap(({ others }) => others.map((other) => ({ terms: pairsIn(other), strength: sameElsewhere })));
}

/** Of one character itself: it is a term as well. */
function pairsIn(word: string): string[] {
  if (word.length === 1) return [word];
  return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));
}

/** Concepts that nearly every question could name: they tell little about which one it is. */
const generic: ReadonlySet<string> = new Set([
  '~desk',
  '~data',
  '~page',
  '~see',
  '~purpose',
  '~screens',
  '~where',
  '~duration',
]);

const longestQuestion = 2000;
const mostUnits = 48;

/** Chinese as soon as a tenth of its runs are: English names stand in Chinese questions more often than the other way round. */
export function languageOf(runs: readonly Run[], fallback: Language): Language {
  const chinese = runs.filter((run) => run.script === 'cjk').reduce((sum, run) => sum + run.text.length, 0);
  const words = runs.filter((run) => run.script === 'word').length;
  if (chinese === 0 && words === 0) return fallback;
  return chinese * 4 >= words ? (chinese > 0 ? 'zh' : 'en') : 'en';
}

/** The longest concept at each place, places in order and none twice; one place may name several concepts. */
function chooseConcepts(runs: readonly Run[]): ConceptMatch[][] {
  const chosen: ConceptMatch[][] = [];
  let run = 0;
  let from = 0;
  for (const match of conceptsIn(runs)) {
    if (asksBoth(runs[match.run]!, match)) continue;
    const last = chosen.at(-1)?.[0];
    if (last && samePlace(last, match)) chosen.at(-1)!.push(match);
    else if (match.run > run || (match.run === run && match.from >= from)) {
      chosen.push([match]);
      run = match.runs > 1 ? match.run + match.runs : match.run;
      from = match.runs > 1 ? 0 : match.to;
    }
  }
  return chosen;
}

/** 会不会, 能不能, 登不登录 ask and deny nothing: the 不会 within is none. */
function asksBoth(run: Run, { from }: ConceptMatch): boolean {
  return (
    run.script === 'cjk' && run.text[from] === '不' && from > 0 && run.text[from - 1] === run.text[from + 1]
  );
}

function samePlace(one: ConceptMatch, other: ConceptMatch): boolean {
  return one.run === other.run && one.from === other.from && one.to === other.to && one.runs === other.runs;
}

function surfaceOf(runs: readonly Run[], match: ConceptMatch): string {
  const first = runs[match.run]!;
  if (first.script === 'cjk') return first.text.slice(match.from, match.to);
  return runs
    .slice(match.run, match.run + match.runs)
    .map((run) => run.text)
    .join(' ');
}

function literalTerms(runs: readonly Run[], match: ConceptMatch): string[] {
  const first = runs[match.run]!;
  const covered =
    first.script === 'cjk'
      ? [{ ...first, text: first.text.slice(match.from, match.to) }]
      : runs.slice(match.run, match.run + match.runs);
  return covered
    .flatMap(termsOfRun)
    .filter(({ kind, term }) => kind === 'pair' || (kind === 'word' && !englishStopWords.has(term)))
    .map(({ term }) => term);
}

function wordUnits(run: Run): QuestionUnit[] {
  const terms = termsOfRun(run).map(({ term }) => term);
  if (run.script === 'word' && (englishStopWords.has(stemOf(run.text)) || run.text.length < 2)) return [];
  return [unitOf(terms, run.text, terms.every(isLight) ? lightShare : 1)];
}

const lightShare = 0.2;
const acrossWords = 0.25;
const unknownWord = 0.6;

/** A pair within a word counts in full; of two characters that are words by themselves it may be a name that the word list lacks. */
function pairShare(at: number, edges: ReadonlySet<number>): number {
  if (!edges.has(at + 1)) return 1;
  const isLoose = edges.has(at) && edges.has(at + 2);
  return isLoose ? unknownWord : acrossWords;
}
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** What a Chinese run says besides concepts and stop words. Pairs across a word's edge count little: they may be accidents. */
function plainUnits(run: Run, concepts: readonly ConceptMatch[]): QuestionUnit[] {
  const free = new Array<boolean>(run.text.length).fill(true);
  for (const match of concepts) free.fill(false, match.from, match.to);
  const words = [...segmenter.segment(run.text)];
  const edges = new Set([...words.map(({ index }) => index), run.text.length]);
  for (const word of chineseStopWords) if (word.length > 1) cutOut(run.text, word, free);
  for (const { index, segment } of words) cutCharacters(segment, index, free);
  const units: QuestionUnit[] = [];
  for (const { from, to, others } of regionalWordsIn(run.text)) {
    if (!free.slice(from, to).every(Boolean)) continue;
    const surface = run.text.slice(from, to);
    const own = { terms: pairsIn(surface), strength: 1 };
    const groups = [own, ...others.map((other) => ({ terms: pairsIn(other), strength: sameElsewhere }))];
    units.push({
      terms: [...new Set(groups.flatMap((group) => group.terms))],
      groups,
      surface,
      share: shareOf(surface, 1),
    });
    free.fill(false, from, to);
  }
  for (let at = 0; at < run.text.length; at += 1) {
    if (!free[at]) continue;
    const joins = free[at + 1] === true;
    const pair = run.text.slice(at, at + 2);
    if (joins) units.push(unitOf([pair], pair, shareOf(pair, pairShare(at, edges))));
    else if (free[at - 1] !== true) {
      const character = run.text[at]!;
      units.push(unitOf([character], character, shareOf(character, 0.4)));
    }
  }
  return units;
}

function shareOf(word: string, share: number): number {
  return isLight(word) ? share * lightShare : share;
}
