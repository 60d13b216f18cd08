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
import type { Candidates, CountedUnit } from './find-candidates.ts';
import { namesIn } from './names-in.ts';
import { bestPlaceOf, type PassageText } from './places.ts';
import { coverageOf } from './rank.ts';
import type { ReadPassage } from './read-closely.ts';

/**
 * Features of the best passage, each a share, a cosine or a yes, so that neither the size of the knowledge base nor the length of the question counts. Words weigh by how
 * rare they are in their language, and *topic* words, those in the document's title, are left out of most.
 */
export interface Evidence {
  /** Share of the question, without the topic, that the document says; 1 for a question about nothing else. */
  documentShare: number;
  /**
   * How near the passage's words are to those of the question without the topic, on average: 1 if it says one, else the cosine of the nearest. Multiplied by how much the
   * place that would be quoted says: n / (n + 2) for n words.
   */
  together: number;
  /** How far the passage is from the question's last two words, added: in both languages what is asked for comes last. */
  lastFar: number;
  /** Cosine of the question, without the topic, and the nearest sentence, item or row. */
  nearestPlace: number;
  /** How far a row of a table, with its columns and headings, is from the question, on average; 0 for text. The passage's other rows are about other things. */
  rowFar: number;
  /** 1 if the question asks for a time and the passage contains one. */
  hasTime: number;
  /** 1 if the passage lacks a name, an identifier or the year of the question, or a price or phone number was asked for and it says nothing near a rarer word: it is about another one. */
  lacksName: number;
  /** 1 if the passage says no word of the question, or the place that would be quoted lacks the kind of value that was asked for. */
  lacksValue: number;
}

/** Weights of `nearnessTo`. */
const nearnessWeights = { words: 7.4, place: 4, lacksValue: -1.9 };

/**
 * A function for how near a passage is to a question: the mean nearness of all its words, the cosine of the nearest sentence, item or row, and whether the place that
 * would be quoted lacks the kind of value that was asked for. Pure.
 */
export function nearnessTo({ text, units }: AskedQuestion): (passage: KnowledgePassage) => number {
  const { nearestIn, rarityOf, vectorOf } = wordVectors();
  const words = contentWords(text, units).map(({ surface, groups }) => ({
    rarity: rarityOf(surface),
    vector: vectorOf(surface),
    groups: groups.map((group) => ({ terms: group.terms, strength: 1 })),
  }));
  const asksForValue = lacksValue(text, '');
  return (passage) => {
    const whole = wholeOf(passage);
    const nearest = nearestIn(whole);
    const shares = coverageOf(whole, words);
    const asked = words.map(({ rarity, vector }, at) => ({
      rarity,
      near: nearnessOf(shares[at]!, () => nearest(vector)),
    }));
    const lacks = asksForValue && lacksValue(text, bestPlaceOf(passage, units, text).text);
    return (
      nearnessWeights.words *
        meanBy(
          asked,
          ({ rarity }) => rarity,
          ({ near }) => near,
        ) +
      nearnessWeights.place * (nearestPlaceOf(passage, text) ?? 0) +
      (lacks ? nearnessWeights.lacksValue : 0)
    );
  };
}

/** How near a word is of which a text says this share: 1 if it says the word, else the cosine of its nearest word. */
function nearnessOf(share: number, nearest: () => number): number {
  return share >= isSaid ? 1 : Math.max(share, nearest());
}

type AskedQuestion = Pick<Candidates, 'text' | 'units'>;

const isSaid = 0.5;
/** Number of words that a place must say to count half. */
const halfOfWords = 2;

/**
 * The features of the best passage; null without one. Topic words are left out of most: all passages of a document are about its topic, so
 * that its words are no evidence. Pure.
 */
export function evidenceOf(
  best: Pick<ReadPassage, 'passage' | 'inDocument'> | undefined,
  { text, units }: AskedQuestion,
): Evidence | null {
  if (best === undefined) return null;
  const { passage } = best;
  const { vectorOf, nearestIn, rarityOf } = wordVectors();
  const whole = wholeOf(passage);
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
  const isLacking = (word: ContentWord) => !isMeasure(word) && saidShare(word, terms) < isSaid;
  const topic = termSetOf(passage.title);
  const counted = words.filter((word) => !isMeasure(word) && saidShare(word, topic) < isSaid);
  const byRarity = (some: readonly ContentWord[], of: (word: ContentWord) => number) =>
    meanBy(some, ({ surface }) => rarityOf(surface), of);
  const inTitle = coverageOf(passage.title, units);
  const rest = units
    .map((unit, at) => ({ ...unit, at }))
    .filter(
      ({ surface, at }) => inTitle[at]! < isSaid && !(measures.has(surface) && best.inDocument[at]! < isSaid),
    );
  const weightOfUnit = ({ share, surface }: CountedUnit) => share * rarityOf(surface);
  const place = bestPlaceOf(passage, units, text);
  const inPlace = coverageOf(place.text, units);
  const saidInPlace = sum(units.map((unit, at) => weightOfUnit(unit) * inPlace[at]!));
  const nearRow = place.isRow
    ? nearnessIn([passage.title, passage.place, ...passage.ways, place.text].join('\n'))
    : () => 1;
  const nearness = byRarity(counted, near);
  const names = namesIn(text);
  return {
    documentShare: meanBy(rest, weightOfUnit, ({ at }) => best.inDocument[at]!),
    together: (nearness * saidInPlace) / (saidInPlace + halfOfWords),
    lastFar: sum(words.slice(-2).map((word) => (isMeasure(word) ? 0 : 1 - near(word)))),
    nearestPlace:
      nearestPlaceOf(passage, counted.map((word) => surfaceIn(terms, word)).join(' ')) ?? nearness,
    rowFar: 1 - byRarity(words, nearRow),
    hasTime: asksForTime.test(text) && saysTime(passage.text) ? 1 : 0,
    lacksName: lacksName() ? 1 : 0,
    lacksValue:
      lacksValue(text, place.text) ||
      (words.length > 0 && words.every((word) => saidShare(word, terms) < isSaid))
        ? 1
        : 0,
  };

  function lacksName(): boolean {
    return (
      words.some((word) => names.has(word.surface) && isLacking(word)) ||
      codesIn(text).some(({ term, start }) => !terms.has(term) && !isSaidOtherwise(start)) ||
      isOfOtherYear(text, whole) ||
      (names.size === 0 &&
        ((place.isRow && asksForPrice.test(text)) || asksForPhone.test(text)) &&
        unsupportedParts([passage], { text, units }).length > 0) ||
      (place.isRow && place.fit === 0 && lacksNumber())
    );
  }

  /** Whether the word here has a synonym that is said. */
  function isSaidOtherwise(at: number): boolean {
    return words.some(
      (word) => word.groups.length > 1 && word.start <= at && at < word.end && !isLacking(word),
    );
  }

  /** Whether the question has a number of several digits that neither the row nor its headings have: it asks for another row. */
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

/** The content words of a question without measure words. */
export function askedWords({ text, units }: AskedQuestion): ContentWord[] {
  const measures = measureWordsIn(text);
  return contentWords(text, units).filter(({ surface }) => !measures.has(surface));
}

/** How many content words a question has, and how many of them the passage says. Measure words do not count. */
export function wordsSaid(passage: PassageText, question: AskedQuestion) {
  const terms = termSetOf(wholeOf(passage));
  const words = askedWords(question);
  return { words: words.length, said: words.filter((word) => saidShare(word, terms) >= isSaid).length };
}

/** A function for whether a text has content words, and the question says all of them. */
export function wholeSayer({ units }: Pick<AskedQuestion, 'units'>): (text: string) => boolean {
  const terms = new Set(units.flatMap(({ groups }) => groups.flatMap((group) => group.terms)));
  return (text) => {
    const words = contentWords(text, []).filter(({ surface }) => isContent(surface));
    return words.length > 0 && words.every((word) => saidShare(word, terms) >= isSaid);
  };
}

/** Whether a word says much: common ones do not, and single characters are said by chance. */
export function isContent(surface: string): boolean {
  return surface.length >= minLength && wordVectors().rarityOf(surface) >= minRarity;
}

/** Maximum nearness of a word that is not supported, and its minimum rarity: common words say little, and so do single characters. */
const maxNear = 0.4;
const minRarity = 0.5;
const minLength = 2;
const maxUnsupported = 4;

/** The parts of a question that these passages do not support: content words, adjacent ones together, of which they say neither the word nor one that is near. */
export function unsupportedParts(passages: readonly PassageText[], { text, units }: AskedQuestion): string[] {
  const wholes = passages.map(wholeOf);
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
  for (const word of contentWords(text, units).filter(isUnsupported)) {
    const last = parts.at(-1);
    if (last && text.slice(last.end, word.start).trim() === '') last.end = word.end;
    else parts.push({ start: word.start, end: word.end });
  }
  return [...new Set(parts.map(({ start, end }) => text.slice(start, end)))].slice(0, maxUnsupported);
}

function wholeOf({ title, place, ways, tableHead, text }: PassageText): string {
  return [title, place, ...ways, tableHead, text].join('\n');
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** Mean of `of`, weighted; 1 for nothing. */
function meanBy<T>(some: readonly T[], weight: (one: T) => number, of: (one: T) => number): number {
  const total = sum(some.map(weight));
  return total > 0 ? sum(some.map((one) => weight(one) * of(one))) / total : 1;
}

/** Cosine of `asked` and the nearest sentence, item, or row with its columns; null if no word of `asked` has a vector. */
function nearestPlaceOf({ text, tableHead }: KnowledgePassage, asked: string): number | null {
  const { vectorOf } = wordVectors();
  const vector = vectorOf(asked);
  if (vector.every((one) => one === 0)) return null;
  const cosines = structureOf(text).flatMap((block) => {
    const head =
      block.kind === 'table' && block.head ? text.slice(block.head.start, block.head.end) : tableHead;
    const columns = block.kind === 'table' ? head : '';
    return leavesOf(block).map(({ start, end }) =>
      dot(vector, vectorOf(`${text.slice(start, end)}\n${columns}`)),
    );
  });
  return Math.max(0, ...cosines);
}

type Feature = Exclude<keyof Evidence, 'lacksName' | 'lacksValue'>;

/**
 * Weights of logistic regressions, for the desk's documents, the handbook and files (L2, λ = 5 on standardised features, cross-validated by documents), fitted by
 * `tests/bench/retrieval/fit/fit-enough.ts`; see README.md.
 */
const fitted: Record<'shared' | 'handbook' | 'file', { start: number; weights: Record<Feature, number> }> = {
  shared: {
    start: -1.13,
    weights: {
      documentShare: 0.64,
      together: 4.59,
      lastFar: -0.43,
      nearestPlace: 1.55,
      rowFar: -1.9,
      hasTime: 0.46,
    },
  },
  handbook: {
    start: -2.09,
    weights: {
      documentShare: 4.48,
      together: 0,
      lastFar: -1.38,
      nearestPlace: 1.43,
      rowFar: -1.61,
      hasTime: 0,
    },
  },
  file: {
    start: -1.94,
    weights: {
      documentShare: 1.19,
      together: 4.48,
      lastFar: -0.63,
      nearestPlace: 3.54,
      rowFar: -1.93,
      hasTime: 0,
    },
  },
};

/**
 * Thresholds of the log odds from which on a passage answers: at most 8 % of the companies' questions that nothing answers are, alone and among 10,000 foreign passages.
 * Lower for the handbook, whose sections list other ways to ask for them, and for the asker's own files, which most questions with a file are about.
 */
const thresholds = { shared: 1.45, handbook: 0.15, file: -0.9 };
/** Margin of a passage that is barred, at most. */
const barredMargin = -0.01;

/** Whether a passage never answers. Sections of the handbook are procedures, which few questions ask a value of. */
export function isBarred({ lacksName, lacksValue }: Evidence, source: keyof typeof thresholds): boolean {
  return lacksName === 1 || (lacksValue === 1 && source !== 'handbook');
}

/** Log odds that the best passage answers, above the threshold of its source; from 0 on it does. */
export function marginOf(evidence: Evidence | null, source: keyof typeof thresholds): number {
  if (evidence === null) return Number.NEGATIVE_INFINITY;
  const { start, weights } = fitted[source];
  const features = Object.keys(weights) as Feature[];
  const odds = features.reduce((sum, one) => sum + weights[one] * evidence[one], start);
  const margin = odds - thresholds[source];
  return isBarred(evidence, source) ? Math.min(margin, barredMargin) : margin;
}

const year = /(?<![\p{Nd}.,:-])(?:19|20)\p{Nd}{2}(?![\p{Nd}.,:-]|\s*(?:元|块|米|克|人|kg|km))/gu;

/** Whether a passage says years, but none of those that the question names: it is of another edition. */
function isOfOtherYear(question: string, passage: string): boolean {
  const said = new Set(passage.match(year));
  const asked = question.match(year) ?? [];
  return said.size > 0 && asked.length > 0 && !asked.some((one) => said.has(one));
}

/** Identifiers with digits in a question (E02, HX-500), and numbers of at least five digits. A passage without them is about another one. */
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
 * The words with which a question asks for a measure or its bound: 多久, 最晚, *often* in "how often"; and for a telephone number that `passage` has. An answer
 * gives the value and seldom repeats them.
 */
function measureWordsIn(question: string, passage = ''): ReadonlySet<string> {
  const words = [
    ...measureWords.flatMap((some) => question.match(some) ?? []),
    ...phoneWordsIn(question, passage),
  ];
  return new Set(words.map((word) => word.toLowerCase()));
}

/** A content word of a question, with its place in it. */
interface ContentWord {
  surface: string;
  start: number;
  end: number;
  /** The word itself, then its synonyms or regional counterparts. */
  groups: readonly Pick<TermGroup, 'terms' | 'surface'>[];
}

const stopWords: ReadonlySet<string> = new Set(chineseStopWords);

/** The content words of a question, in order: whole words and phrases with synonyms, unlike its units, which are pairs of characters in Chinese. */
export function contentWords(text: string, units: Candidates['units']): ContentWord[] {
  const regional = new Map(units.map(({ surface, groups }) => [surface, groups]));
  const phrases = units.flatMap(({ span, surface, groups }) => (span ? [{ ...span, surface, groups }] : []));
  const words = runsOf(text)
    .flatMap(wordsOfRun)
    .filter(({ start, end }) => !phrases.some((phrase) => start < phrase.end && end > phrase.start))
    .map(({ terms, ...word }) => ({ ...word, groups: regional.get(word.surface) ?? [{ terms }] }));
  return phrases.length === 0 ? words : [...words, ...phrases].sort((one, other) => one.start - other.start);
}

/** The word, or the synonym of it that is said most. */
function surfaceIn(terms: ReadonlySet<string>, word: ContentWord): string {
  const said = (group: ContentWord['groups'][number]) => saidShare({ ...word, groups: [group] }, terms);
  const best = word.groups.reduce((one, other) => (said(other) > said(one) ? other : one));
  return best.surface ?? word.surface;
}

/** Share of a word's terms that are among `terms`, 0–1. */
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
