import { numeralsIn } from '../../text/numerals.ts';
import { chineseStopWords } from '../../text/stop-words.ts';
import { pairsIn, type Run, runsOf, segmenter, termTexts } from '../../text/terms.ts';
import { dot, wordVectors } from '../embeddings/word-vectors.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { identifiersIn } from '../index/passage-terms.ts';
import { leavesOf, structureOf } from '../index/structure.ts';
import { termSetOf } from '../index/term-sets.ts';
import { isStopRun, type TermGroup } from './analyse-question.ts';
import {
  asksForPhone,
  asksForPrice,
  asksForTime,
  lacksValue,
  phoneWordsIn,
  saysTime,
} from './asked-values.ts';
import type { CountedUnit } from './find-candidates.ts';
import { namesIn } from './names-in.ts';
import { bestPlaceOf, headText, wholeText } from './places.ts';
import { coverageOf, minSaid } from './rank.ts';
import type { ReadPassage } from './read-closely.ts';
import { siblingFinder } from './siblings.ts';

/**
 * Features of the best passage. Each is a share, a cosine or 0/1, so that neither the size of the knowledge
 * base nor the length of the question matters. Words are weighted by how rare they are in their language.
 * *Topic words* are those of the document's title: all its passages are about them, so that most features
 * leave them out.
 */
export interface Evidence {
  /**
   * Share of the question, without topic words, that the document contains; 1 if there are no other words.
   */
  documentShare: number;
  /**
   * Mean nearness of the passage to each content word that is no topic word: 1 if it contains the word, else
   * the cosine of its nearest word. Multiplied by n / (n + 2), where n is the weight of the words in the
   * place to be quoted.
   */
  together: number;
  /** Sum of 1 − nearness of the last two content words: questions mostly end with what they ask for. */
  lastFar: number;
  /** Cosine of the question, without topic words, and the nearest sentence, item or row. */
  nearestPlace: number;
  /** For a table row: 1 − mean nearness of the row with its columns and headings. 0 for other text. */
  rowFar: number;
  /** 1 if the question asks for a time and the passage contains one. */
  hasTime: number;
  /** 1 if the passage lacks a name, an identifier or the year of the question: it is about something else. */
  lacksName: number;
  /** 1 if the place to be quoted is of something else: another row, or another thing of the same kind. */
  isOfOther: number;
  /** 1 if the passage contains no word of the question, or the place to be quoted no value as asked for. */
  lacksValue: number;
}

/** How near a passage is to a question. */
export interface Nearness {
  /** Mean nearness of the passage to the question's words. */
  words: number;
  /** Cosine of the question and the nearest sentence, item or row. */
  place: number;
  /** 1 if the place to be quoted lacks the kind of value asked for. */
  lacksValue: number;
}

/** `tests/bench/retrieval/fit/fit-ranking.ts` fits them again: other ratios, which order no better. */
const nearnessWeights: Nearness = { words: 7.4, place: 4, lacksValue: -1.9 };

/** What nearness adds to a passage's score. */
export const rateNearness = ({ words, place, lacksValue }: Nearness): number =>
  nearnessWeights.words * words + nearnessWeights.place * place + nearnessWeights.lacksValue * lacksValue;

/** Returns a function for how near a passage is to a question. Pure. */
export function nearnessTo({ text, units }: AskedQuestion): (passage: KnowledgePassage) => Nearness {
  const nearnessOfWords = wordNearness({ text, units });
  const asksForValue = lacksValue(text, '');
  return (passage) => {
    const lacks = asksForValue && lacksValue(text, bestPlaceOf(passage, units, text).text);
    return {
      words: nearnessOfWords(wholeText(passage)),
      place: nearestPlaceOf(passage, text) ?? 0,
      lacksValue: lacks ? 1 : 0,
    };
  };
}

/** Returns a function for the mean nearness of a text to the content words of a question, 0–1. Pure. */
export function wordNearness({ text, units }: AskedQuestion): (stretch: string) => number {
  const { nearestIn, rarityOf, vectorOf } = wordVectors();
  const words = contentWords(text, units).map(({ surface, groups }) => ({
    rarity: rarityOf(surface),
    vector: vectorOf(surface),
    groups: groups.map((group) => ({ terms: group.terms, strength: 1 })),
  }));
  return (stretch) => {
    const nearest = nearestIn(stretch);
    const shares = coverageOf(stretch, words);
    const nearness = words.map(
      ({ rarity, vector }, at) => [rarity, nearnessOf(shares[at]!, () => nearest(vector))] as const,
    );
    return weightedMean(nearness);
  };
}

/** Nearness of a text to a word: 1 if it contains most of it (`share`), else that of its nearest word. */
function nearnessOf(share: number, nearest: () => number): number {
  return share >= minSaid ? 1 : Math.max(share, nearest());
}

interface AskedQuestion {
  text: string;
  units: readonly CountedUnit[];
}

/** Number of words in the place to be quoted at which the factor of `together` is ½. */
const halfOfWords = 2;

/**
 * The features of the best passage; null without one. Pure.
 *
 * @param others further passages, of any document.
 */
export function evidenceOf(
  best: Pick<ReadPassage, 'passage' | 'inDocument'> | undefined,
  { text, units }: AskedQuestion,
  others: readonly Pick<ReadPassage, 'passage'>[] = [],
): Evidence | null {
  if (best === undefined) return null;
  const { passage } = best;
  const { vectorOf, nearestIn, rarityOf } = wordVectors();
  const whole = wholeText(passage);
  const terms = termSetOf(whole);
  const measures = measureWordsIn(text, whole);
  const words = contentWords(text, units);
  const isMeasure = ({ surface }: ContentWord) => measures.has(surface);
  const nearnessIn = (stretch: string) => {
    const nearest = nearestIn(stretch);
    const said = termSetOf(stretch);
    return (word: ContentWord) => nearnessOf(saidShare(word, said), () => nearest(vectorOf(word.surface)));
  };
  const near = nearnessIn(whole);
  const isLacking = (word: ContentWord) => !isMeasure(word) && saidShare(word, terms) < minSaid;
  const topic = termSetOf(passage.title);
  const counted = words.filter((word) => !isMeasure(word) && saidShare(word, topic) < minSaid);
  const byRarity = (some: readonly ContentWord[], of: (word: ContentWord) => number) =>
    weightedMean(some.map((word) => [rarityOf(word.surface), of(word)]));
  const inTitle = coverageOf(passage.title, units);
  const weightOfUnit = ({ share, surface }: CountedUnit) => share * rarityOf(surface);
  const inDocument = units.flatMap((unit, at) => {
    const said = best.inDocument[at]!;
    const isLeftOut = inTitle[at]! >= minSaid || (measures.has(unit.surface) && said < minSaid);
    return isLeftOut ? [] : [[weightOfUnit(unit), said] as const];
  });
  const place = bestPlaceOf(passage, units, text);
  const inPlace = coverageOf(place.text, units);
  const saidInPlace = sum(units.map((unit, at) => weightOfUnit(unit) * inPlace[at]!));
  const nearRow = place.isRow
    ? nearnessIn([passage.title, passage.place, ...passage.ways, place.text].join('\n'))
    : () => 1;
  const nearness = byRarity(counted, near);
  const names = namesIn(text);
  return {
    documentShare: weightedMean(inDocument),
    together: (nearness * saidInPlace) / (saidInPlace + halfOfWords),
    lastFar: sum(words.slice(-2).map((word) => (isMeasure(word) ? 0 : 1 - near(word)))),
    nearestPlace:
      nearestPlaceOf(passage, counted.map((word) => surfaceIn(terms, word)).join(' ')) ?? nearness,
    rowFar: 1 - byRarity(words, nearRow),
    hasTime: asksForTime.test(text) && saysTime(passage.text) ? 1 : 0,
    lacksName: lacksName() ? 1 : 0,
    isOfOther: isOfOther() ? 1 : 0,
    lacksValue:
      lacksValue(text, place.text) ||
      (words.length > 0 && words.every((word) => saidShare(word, terms) < minSaid))
        ? 1
        : 0,
  };

  function lacksName(): boolean {
    return (
      words.some((word) => names.has(word.surface) && isLacking(word)) ||
      codesIn(text).some(({ term, start }) => !terms.has(term) && !isSaidOtherwise(start)) ||
      isOfOtherYear(text, whole)
    );
  }

  function isOfOther(): boolean {
    return (
      (names.size === 0 &&
        ((place.isRow && asksForPrice.test(text)) || asksForPhone.test(text)) &&
        unsupportedParts([passage], { text, units }).length > 0) ||
      (place.isRow && place.fit === 0 && lacksNumber()) ||
      (place.fit === 0 &&
        siblingFinder(text).isOfSibling(
          [passage.title, passage.place, place.own].join('\n'),
          others
            .filter((one) => one.passage.documentId === passage.documentId)
            .map((one) => wholeText(one.passage)),
        ))
    );
  }

  /** Whether the passage contains a synonym of the word at this position. */
  function isSaidOtherwise(at: number): boolean {
    return words.some(
      (word) => word.groups.length > 1 && word.start <= at && at < word.end && !isLacking(word),
    );
  }

  /** Whether row and headings lack a number of several digits of the question, which is about another row. */
  function lacksNumber(): boolean {
    const inRow = termSetOf([passage.title, passage.place, place.text].join('\n'));
    const runs = runsOf(text);
    const numerals = numeralsIn(runs);
    const isOfNumeral = (run: Run) => numerals.some(({ start, end }) => start <= run.start && run.end <= end);
    const plain = runs.filter((run) => run.script === 'number' && run.text.length > 1 && !isOfNumeral(run));
    return [
      ...plain.flatMap(termTexts),
      ...numerals.map(({ value }) => value).filter(({ length }) => length > 1),
    ].some((one) => !inRow.has(one));
  }
}

/** The content words of a question, without measure words (`measureWordsIn`). */
export function askedWords({ text, units }: AskedQuestion): ContentWord[] {
  const measures = measureWordsIn(text);
  return contentWords(text, units).filter(({ surface }) => !measures.has(surface));
}

/** Number of content words of a question, and of those in the passage. Measure words do not count. */
export function wordsSaid(passage: KnowledgePassage, question: AskedQuestion) {
  const terms = termSetOf(wholeText(passage));
  const words = askedWords(question);
  return { words: words.length, said: words.filter((word) => saidShare(word, terms) >= minSaid).length };
}

/** Returns a function for whether a text has content words and the question contains all of them. */
export function wholeSayer({ units }: Pick<AskedQuestion, 'units'>): (text: string) => boolean {
  const terms = new Set(units.flatMap(({ groups }) => groups.flatMap((group) => group.terms)));
  return (text) => {
    const words = contentWords(text, []).filter(({ surface }) => isContent(surface));
    return words.length > 0 && words.every((word) => saidShare(word, terms) >= minSaid);
  };
}

/** Whether a word is specific: neither common nor a single character. */
export function isContent(surface: string): boolean {
  return surface.length >= minLength && wordVectors().rarityOf(surface) >= minRarity;
}

/** Minimum rarity (`rarityOf`) and length in UTF-16 units of a specific word. */
const minRarity = 0.5;
const minLength = 2;
/** Cosine from which on a passage supports a word that it does not contain. */
const maxNear = 0.4;
const maxUnsupported = 4;

/**
 * The specific words of a question that are in no passage, nor near one of its words; adjacent ones joined.
 */
export function unsupportedParts(
  passages: readonly KnowledgePassage[],
  { text, units }: AskedQuestion,
): string[] {
  const wholes = passages.map(wholeText);
  const terms = new Set(wholes.flatMap((whole) => [...termSetOf(whole)]));
  const { nearestIn, vectorOf } = wordVectors();
  const nearest = wholes.map(nearestIn);
  const measures = measureWordsIn(text, wholes.join('\n'));
  const isUnsupported = (word: ContentWord) =>
    isContent(word.surface) &&
    !measures.has(word.surface) &&
    saidShare(word, terms) === 0 &&
    nearest.every((nearestOf) => nearestOf(vectorOf(word.surface)) < maxNear);
  const parts: { start: number; end: number }[] = [];
  for (const { start, end } of contentWords(text, units).filter(isUnsupported)) {
    const last = parts.at(-1);
    if (last && text.slice(last.end, start).trim() === '') last.end = end;
    else parts.push({ start, end });
  }
  return [...new Set(parts.map(({ start, end }) => text.slice(start, end)))].slice(0, maxUnsupported);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** The mean of values with weights; 1 without any. */
function weightedMean(some: readonly (readonly [weight: number, value: number])[]): number {
  const total = sum(some.map(([weight]) => weight));
  return total > 0 ? sum(some.map(([weight, value]) => weight * value)) / total : 1;
}

/** Cosine of `asked` and the nearest sentence, item, or row with its columns; null without any known word. */
function nearestPlaceOf(passage: KnowledgePassage, asked: string): number | null {
  const { vectorOf } = wordVectors();
  const vector = vectorOf(asked);
  if (vector.every((one) => one === 0)) return null;
  const cosines = structureOf(passage.text).flatMap((block) => {
    const columns = block.kind === 'table' ? headText(passage, block) : '';
    return leavesOf(block).map(({ start, end }) =>
      dot(vector, vectorOf(`${passage.text.slice(start, end)}\n${columns}`)),
    );
  });
  return Math.max(0, ...cosines);
}

/** Where a passage is from: a document of the desk, the handbook, or a file of the asker. */
type PassageSource = 'shared' | 'handbook' | 'file';

/**
 * Intercepts and weights of three logistic regressions (L2, λ = 5 on standardised features), fitted by
 * `tests/bench/retrieval/fit/fit-enough.ts`; see README.md.
 */
const intercepts = { shared: -1.13, handbook: -2.09, file: -1.94 };
const weights = {
  documentShare: { shared: 0.64, handbook: 4.48, file: 1.19 },
  together: { shared: 4.59, handbook: 0, file: 4.48 },
  lastFar: { shared: -0.43, handbook: -1.38, file: -0.63 },
  nearestPlace: { shared: 1.55, handbook: 1.43, file: 3.54 },
  rowFar: { shared: -1.9, handbook: -1.61, file: -1.93 },
  hasTime: { shared: 0.46, handbook: 0, file: 0 },
};
const features = Object.keys(weights) as (keyof typeof weights)[];

/**
 * Log odds from which on a passage answers, chosen so that at most 8 % of the companies' unanswerable
 * questions are answered, alone and among 10,000 foreign passages. Lower for the handbook, whose sections
 * list other ways to ask for them, and for the asker's own files, which most questions with a file are about.
 */
const thresholds = { shared: 1.45, handbook: 0.15, file: -0.9 };
/** Maximum margin of a barred passage. */
const barredMargin = -0.01;

/** Whether a passage never answers. Handbook sections are procedures, which need not contain a value. */
export function isBarred({ lacksName, isOfOther, lacksValue }: Evidence, source: PassageSource): boolean {
  return lacksName === 1 || isOfOther === 1 || (lacksValue === 1 && source !== 'handbook');
}

/** Log odds that the best passage answers, minus the threshold of its source: it answers from 0 on. */
export function marginOf(evidence: Evidence | null, source: PassageSource): number {
  if (evidence === null) return Number.NEGATIVE_INFINITY;
  const odds = features.reduce((sum, one) => sum + weights[one][source] * evidence[one], intercepts[source]);
  const margin = odds - thresholds[source];
  return isBarred(evidence, source) ? Math.min(margin, barredMargin) : margin;
}

const year = /(?<![\p{Nd}.,:-])(?:19|20)\p{Nd}{2}(?![\p{Nd}.,:-]|\s*(?:元|块|米|克|人|kg|km))/gu;

/** Whether a passage names years but none of those in the question: it is about another edition. */
function isOfOtherYear(question: string, passage: string): boolean {
  const said = new Set(passage.match(year));
  const asked = question.match(year) ?? [];
  return said.size > 0 && asked.length > 0 && !asked.some((one) => said.has(one));
}

/** Identifiers with digits in a question (E02, HX-500), and numbers of at least five digits. */
function codesIn(question: string): { term: string; start: number }[] {
  const codes = identifiersIn(question).filter(({ term }) => /\p{L}.*\p{Nd}/u.test(term));
  const numbers = runsOf(question).filter(
    ({ script, text }) => script === 'number' && /\p{Nd}{5}/u.test(text),
  );
  return [...codes, ...numbers.map((run) => ({ term: termTexts(run)[0]!, start: run.start }))];
}

const measureWords = [
  /多(?:久|长|大|高|远|重|快|厚|宽|深|晚|早)/gu,
  /最(?:多|少|高|低|大|小|长|短|快|慢|晚|早)/gu,
  /(?<=\bhow )(?:long|often|far|soon|old|big|large|tall|wide|deep|fast|late|early)\b/giu,
];

/**
 * Words with which a question asks for a measure or its bound (多久, 最晚, *often* in "how often"), and for a
 * telephone number if `passage` contains one. An answer states the value and seldom repeats these words.
 */
function measureWordsIn(question: string, passage = ''): ReadonlySet<string> {
  const words = [
    ...measureWords.flatMap((some) => question.match(some) ?? []),
    ...phoneWordsIn(question, passage),
  ];
  return new Set(words.map((word) => word.toLowerCase()));
}

/** A content word of a question, with its position. */
interface ContentWord {
  surface: string;
  start: number;
  end: number;
  /** The word itself, then its synonyms or regional counterparts. */
  groups: readonly Pick<TermGroup, 'terms' | 'surface'>[];
}

const stopWords: ReadonlySet<string> = new Set(chineseStopWords);

/**
 * The content words of a question, in order: whole words, and phrases with synonyms. (The units of a Chinese
 * question are pairs of characters.)
 */
export function contentWords(text: string, units: AskedQuestion['units']): ContentWord[] {
  const regional = new Map(units.map(({ surface, groups }) => [surface, groups]));
  const phrases = units.flatMap(({ span, surface, groups }) => (span ? [{ ...span, surface, groups }] : []));
  const words = runsOf(text)
    .flatMap(wordsOfRun)
    .filter(({ start, end }) => !phrases.some((phrase) => start < phrase.end && end > phrase.start))
    .map(({ terms, ...word }) => ({ ...word, groups: regional.get(word.surface) ?? [{ terms }] }));
  return phrases.length === 0 ? words : [...words, ...phrases].sort((one, other) => one.start - other.start);
}

/** The word, or the synonym of which most terms are among `terms`. */
function surfaceIn(terms: ReadonlySet<string>, word: ContentWord): string {
  const said = (group: ContentWord['groups'][number]) => saidShare({ ...word, groups: [group] }, terms);
  const best = word.groups.reduce((one, other) => (said(other) > said(one) ? other : one));
  return best.surface ?? word.surface;
}

/** Share of a word's terms that are among `terms`, 0–1; the largest one of its synonyms and itself. */
function saidShare({ groups }: ContentWord, terms: ReadonlySet<string>): number {
  return Math.max(
    ...groups.map((group) => group.terms.filter((term) => terms.has(term)).length / group.terms.length),
  );
}

function wordsOfRun(run: Run): (Omit<ContentWord, 'groups'> & { terms: string[] })[] {
  const { text, start, end } = run;
  if (run.script !== 'cjk')
    return isStopRun(run) ? [] : [{ surface: text, start, end, terms: termTexts(run) }];
  const { starts, ends } = run.folded;
  return [...segmenter.segment(text)]
    .filter(({ segment }) => !stopWords.has(segment) && ![...segment].every((one) => stopWords.has(one)))
    .map(({ segment, index }) => ({
      surface: segment,
      start: starts[run.from + index]!,
      end: ends[run.from + index + segment.length - 1]!,
      terms: pairsIn(segment),
    }));
}
