import { chineseStopWords } from '../text/stop-words.ts';
import { type Run, runsOf, segmenter, termTexts } from '../text/terms.ts';
import { isStopRun, pairsIn, type TermGroup } from './analyse-question.ts';
import { dot, wordVectors } from './embeddings/word-vectors.ts';
import type { PassageText } from './extract-answer.ts';
import type { Candidates } from './find-candidates.ts';
import { namesIn } from './names-in.ts';
import type { KnowledgePassage } from './passage.ts';
import { coverageOf } from './rank.ts';
import type { ReadPassage } from './read-closely.ts';
import { leavesOf, structureOf } from './structure.ts';
import { termSetOf } from './term-sets.ts';

/** Features of the best passage. *Weight* is inverse document frequency; *topic* words are those in the document's title. */
export interface Evidence {
  /** Share of the question's weight, without the topic, that the document says; 1 for a question about nothing else. */
  documentShare: number;
  /** How near the passage's words are to those of the question without the topic, on average: 1 if it says one, else the cosine of the nearest. */
  near: number;
  /** How far they are from the question's last two words, added: in both languages what is asked for comes last. */
  lastFar: number;
  /** Cosine of the question, without the topic, and the nearest sentence, item or row. */
  nearestPlace: number;
  /** Weight of the words, without the topic, that it lacks. Nearness counts for more in a question that says much. */
  missing: number;
  /** Number of names in the question that it lacks. */
  namesMissing: number;
  /** 1 if the question asks for a time and the passage contains one. */
  hasTime: number;
  /** 1 for a question in Chinese, whose words are shorter and nearer to each other. */
  isChinese: number;
}

type WeightedQuestion = Pick<Candidates, 'text' | 'units' | 'words' | 'characters'>;

const isSaid = 0.5;

/**
 * The features of the best passage; null without one. Topic words are left out of most: all passages of a document are about its topic, so
 * that its words are no evidence. Pure.
 */
export function evidenceOf(
  best: Pick<ReadPassage, 'passage' | 'inDocument'> | undefined,
  question: WeightedQuestion,
): Evidence | null {
  if (best === undefined) return null;
  const { text, units } = question;
  const { passage } = best;
  const whole = wholeOf(passage);
  const terms = termSetOf(whole);
  const nearest = wordVectors().nearestIn(whole);
  const measures = measureWordsIn(text);
  const words = contentWords(text, units);
  const weights = weightsOf(question);
  const rarest = ({ groups }: ContentWord) =>
    Math.max(...groups[0]!.terms.map((term) => weights.get(term) ?? 0));
  const isLacking = (word: ContentWord) => !measures.has(word.surface) && saidShare(word, terms) < isSaid;
  const nearnessOf = (word: ContentWord) =>
    isLacking(word) ? Math.max(saidShare(word, terms), nearest(wordVectors().vectorOf(word.surface))) : 1;
  const topic = termSetOf(passage.title);
  const counted = words.filter((word) => saidShare(word, topic) < isSaid);
  const near = counted.length > 0 ? mean(counted.map(nearnessOf)) : 1;
  const inTitle = coverageOf(passage.title, units);
  const isUnsaidMeasure = units.map(
    ({ surface }, at) => measures.has(surface) && best.inDocument[at]! < isSaid,
  );
  const weightOf = (of: (at: number) => number) =>
    sum(units.map(({ weight }, at) => (inTitle[at]! < isSaid && !isUnsaidMeasure[at] ? weight * of(at) : 0)));
  const asked = weightOf(() => 1);
  const names = namesIn(text);
  return {
    documentShare: asked > 0 ? weightOf((at) => best.inDocument[at]!) / asked : 1,
    near,
    lastFar: sum(words.slice(-2).map((word) => 1 - nearnessOf(word))),
    nearestPlace: nearestPlaceOf(passage, counted.map(({ surface }) => surface).join(' ')) ?? near,
    missing: sum(counted.filter(isLacking).map(rarest)),
    namesMissing: words.filter((word) => names.has(word.surface) && isLacking(word)).length,
    hasTime: asksForTime.test(text) && time.test(passage.text) ? 1 : 0,
    isChinese: question.characters.length > 0 ? 1 : 0,
  };
}

/** How many content words a question has, and how many of them the passage says. Measure words do not count. */
export function wordsSaid(passage: PassageText, { text, units }: Pick<Candidates, 'text' | 'units'>) {
  const terms = termSetOf(wholeOf(passage));
  const measures = measureWordsIn(text);
  const words = contentWords(text, units).filter(({ surface }) => !measures.has(surface));
  return { words: words.length, said: words.filter((word) => saidShare(word, terms) >= isSaid).length };
}

function wholeOf({ title, place, ways, tableHead, text }: PassageText): string {
  return [title, place, ...ways, tableHead, text].join('\n');
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

const mean = (values: readonly number[]) => sum(values) / values.length;

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
      dot(vector, vectorOf(`${text.slice(start, end)} ${columns}`)),
    );
  });
  return Math.max(0, ...cosines);
}

/**
 * Weights of two logistic regressions, for shared documents and for files (L2, λ = 5 on standardised features, cross-validated by documents), fitted by
 * `tests/bench/retrieval/fit/fit-enough.ts`; see README.md.
 */
const fitted: Record<'shared' | 'file', { start: number; weights: Evidence }> = {
  shared: {
    start: -6.29,
    weights: {
      documentShare: 2.97,
      near: 4.78,
      lastFar: -0.72,
      nearestPlace: 2.16,
      missing: 0.14,
      namesMissing: -1.49,
      hasTime: 1.01,
      isChinese: -0.23,
    },
  },
  file: {
    start: -4.71,
    weights: {
      documentShare: 2.61,
      near: 2.95,
      lastFar: -0.73,
      nearestPlace: 4.04,
      missing: 0.05,
      namesMissing: -0.83,
      hasTime: 0.2,
      isChinese: 0.09,
    },
  },
};

/**
 * Thresholds of the log odds from which on a passage answers: on the development questions at most 10 % are falsely refused. Lower for the
 * handbook, whose sections list other ways to ask for them, and for the asker's own files, which most questions with a file are about.
 */
const thresholds = { shared: -0.15, handbook: -0.35, file: -0.8 };

/** Log odds that the best passage answers, above the threshold of its source; from 0 on it does. */
export function marginOf(evidence: Evidence | null, source: keyof typeof thresholds): number {
  if (evidence === null) return Number.NEGATIVE_INFINITY;
  const { start, weights } = source === 'file' ? fitted.file : fitted.shared;
  const features = Object.keys(weights) as (keyof Evidence)[];
  return features.reduce((odds, one) => odds + weights[one] * evidence[one], start) - thresholds[source];
}

const asksForTime =
  /什么时候|何时|几点|哪天|几号|几时|哪年|\bwhen\b|what (?:time|day|date|year)|until when/iu;
const time =
  /\d{1,2}[:：]\d{2}|\d\s*(?:年|月|日|号|点|am\b|pm\b)|[一二三四五六七八九十两]\s*(?:点|月|日|号)|周[一二三四五六日]|星期|每[天日周月年]|天内|月底|之[后前]|以[后前]|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|daily|weekly|monthly|(?:day|week|month|minute|hour)s?|after|before|until|once)\b/iu;

const measureWords = [
  /多(?:久|长|大|高|远|重|快|厚|宽|深|晚|早)/gu,
  /最(?:多|少|高|低|大|小|长|短|快|慢|晚|早)/gu,
  /(?<=\bhow )(?:long|often|far|soon|old|big|large|tall|wide|deep|fast|late|early)\b/giu,
];

/** The words with which a question asks for a measure or its bound: 多久, 最晚, *often* in "how often". An answer gives the measure and seldom repeats them. */
function measureWordsIn(question: string): ReadonlySet<string> {
  return new Set(
    measureWords.flatMap((words) => question.match(words) ?? []).map((word) => word.toLowerCase()),
  );
}

/** A content word of a question. */
interface ContentWord {
  surface: string;
  /** The word itself, then its regional counterparts. */
  groups: readonly Pick<TermGroup, 'terms'>[];
}

const stopWords: ReadonlySet<string> = new Set(chineseStopWords);

/** Inverse document frequencies of a question's terms. */
function weightsOf({ units, words, characters }: WeightedQuestion): Map<string, number> {
  const weights = new Map([...characters, ...words].map(({ term, weight }) => [term, weight]));
  // The weights of units take private passages into account.
  for (const { groups, weight, share } of units)
    for (const term of share > isWhole ? groups[0]!.terms : []) weights.set(term, weight / share);
  return weights;
}

/** The content words of a question, in order: whole words, unlike its units, which are pairs of characters in Chinese. */
function contentWords(text: string, units: Candidates['units']): ContentWord[] {
  const regional = new Map(units.map(({ surface, groups }) => [surface, groups]));
  return runsOf(text)
    .flatMap(wordsOfRun)
    .map(({ surface, terms }) => ({ surface, groups: regional.get(surface) ?? [{ terms }] }));
}

/** Units with a smaller share are Chinese pairs across the edge of a word. */
const isWhole = 0.5;

/** Share of a word's terms that are among `terms`, 0–1. */
function saidShare({ groups }: ContentWord, terms: ReadonlySet<string>): number {
  return Math.max(
    ...groups.map((group) => group.terms.filter((term) => terms.has(term)).length / group.terms.length),
  );
}

function wordsOfRun(run: Run): { surface: string; terms: string[] }[] {
  if (run.script === 'cjk')
    return [...segmenter.segment(run.text)]
      .filter(({ segment }) => !stopWords.has(segment) && ![...segment].every((one) => stopWords.has(one)))
      .map(({ segment }) => ({ surface: segment, terms: pairsIn(segment) }));
  return isStopRun(run) ? [] : [{ surface: run.text, terms: termTexts(run) }];
}
