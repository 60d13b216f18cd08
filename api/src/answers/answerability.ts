import { type AskedQuestion, type AskedWord, askedWords, saidShare } from './asked-words.ts';
import { namesIn } from './names-in.ts';
import { parseQuestion, type ReadPassage } from './read-closely.ts';
import { termSetOf } from './term-sets.ts';

/** What speaks for and against that the best passage answers. *Weight* is inverse document frequency, *topic* what the title says. */
export interface Evidence {
  /** Share of the question's weight, besides the topic, that the document says. */
  documentShare: number;
  /** Square root of the weight of the words, besides the topic, that the passage says. */
  said: number;
  /** Weight of the words, besides the topic, that it lacks. */
  missing: number;
  /** How many of the question's last two words it lacks: what is asked for comes last in both languages. */
  lastMissing: number;
  /** Share of the words that it says in this or another form: of Chinese its single characters, else how words begin. */
  alike: number;
  /** Names in the question that it lacks. */
  namesMissing: number;
  /** A time is asked for, and it tells one: 1. */
  tellsTime: number;
}

const isSaid = 0.5;

/**
 * What is known of the best passage before it is judged; null where there is none. The topic is set apart: a whole document is about it, so that
 * it tells neither for nor against. Pure.
 */
export function evidenceOf(
  best: Pick<ReadPassage, 'passage' | 'inDocument'> | undefined,
  candidates: AskedQuestion,
): Evidence | null {
  if (best === undefined) return null;
  const { text, characters, units } = candidates;
  const { passage } = best;
  const terms = termSetOf(
    [passage.title, passage.place, ...passage.ways, passage.tableHead, passage.text].join('\n'),
  );
  const asking = askingWordsIn(text);
  const words = askedWords(candidates);
  const isLacking = (word: AskedWord) => !asking.has(word.surface) && saidShare(word, terms) < isSaid;
  const topic = termSetOf(passage.title);
  const counted = words.filter((word) => saidShare(word, topic) < isSaid);
  const inTitle = parseQuestion(passage.title, units);
  const isUnsaidAsking = units.map(({ surface }, at) => asking.has(surface) && best.inDocument[at]! < isSaid);
  const weightOf = (of: (at: number) => number) =>
    sum(units.map(({ weight }, at) => (inTitle[at]! < isSaid && !isUnsaidAsking[at] ? weight * of(at) : 0)));
  const names = namesIn(text);
  return {
    documentShare: weightOf((at) => best.inDocument[at]!) / (weightOf(() => 1) || 1),
    said: Math.sqrt(sum(counted.map((word) => word.weight * saidShare(word, terms)))),
    missing: sum(counted.filter(isLacking).map(({ weight }) => weight)),
    lastMissing: words.slice(-2).filter(isLacking).length,
    alike:
      characters.length > 0
        ? shareOf(characters, ({ term }) => terms.has(term))
        : shareOf(words, (word) => saysForm(word, terms)),
    namesMissing: words.filter((word) => names.has(word.surface) && isLacking(word)).length,
    tellsTime: asksTime.test(text) && saysTime.test(passage.text) ? 1 : 0,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function shareOf<T>(some: readonly T[], is: (one: T) => boolean): number {
  return some.filter(is).length / (some.length || 1);
}

/** Forms of a word begin with the same letters. */
const beginning = 5;
const shortestForm = 4;

function saysForm(word: AskedWord, terms: ReadonlySet<string>): boolean {
  const [stem = ''] = word.groups[0]!.terms;
  if (terms.has(stem)) return true;
  if (stem.length < shortestForm) return false;
  const start = stem.slice(0, beginning);
  for (const term of terms) if (term.startsWith(start)) return true;
  return false;
}

/**
 * Log odds that they answer. Logistic regression (L2, λ = 5 on standardised evidence, cross-validated by documents) by
 * `tests/bench/retrieval/fit/fit-enough.ts`; see README.md.
 */
const fitted: Record<keyof Evidence, number> = {
  documentShare: 3.38,
  said: 0.38,
  missing: 0.1,
  lastMissing: -0.57,
  alike: 2.34,
  namesMissing: -1.6,
  tellsTime: 1.17,
};
const base = -4.59;

/** The same of one's own file that came with the question. */
const fittedOnFiles: Record<keyof Evidence, number> = {
  documentShare: 1.03,
  said: 0.26,
  missing: -0.07,
  lastMissing: -0.19,
  alike: 2.72,
  namesMissing: -1.41,
  tellsTime: 2.17,
};
const baseOfFiles = -2.04;

/**
 * From these odds on they answer: on the development questions nearest to 80 % rightly and 10 % falsely refused, both together. The handbook's sections list how else they are asked
 * for, so that what answers stands out.
 */
const least = { shared: 0, handbook: -0.45, file: -0.2 };

export type JudgedSource = keyof typeof least;

/** By how much the odds that the passages answer are beyond what is enough; from 0 on they do. */
export function beyondEnough(evidence: Evidence | null, source: JudgedSource): number {
  if (evidence === null) return Number.NEGATIVE_INFINITY;
  const [weights, start] = source === 'file' ? [fittedOnFiles, baseOfFiles] : [fitted, base];
  const kinds = Object.keys(weights) as (keyof Evidence)[];
  return kinds.reduce((odds, kind) => odds + weights[kind] * evidence[kind], start) - least[source];
}

const asksTime = /什么时候|何时|几点|哪天|几号|几时|哪年|\bwhen\b|what (?:time|day|date|year)|until when/iu;
const saysTime =
  /\d{1,2}[:：]\d{2}|\d\s*(?:年|月|日|号|点|am\b|pm\b)|[一二三四五六七八九十两]\s*(?:点|月|日|号)|周[一二三四五六日]|星期|每[天日周月年]|天内|月底|之[后前]|以[后前]|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|daily|weekly|monthly|(?:day|week|month|minute|hour)s?|after|before|until|once)\b/iu;

const asking = [
  /多(?:久|长|大|高|远|重|快|厚|宽|深|晚|早)/gu,
  /(?<=\bhow )(?:long|often|far|soon|old|big|large|tall|wide|deep|fast|late|early)\b/giu,
];

/** The words with which a question asks for a measure, as they stand in it: 多久, *often* of "how often". An answer gives the measure and seldom says them. */
function askingWordsIn(question: string): ReadonlySet<string> {
  return new Set(asking.flatMap((words) => question.match(words) ?? []).map((word) => word.toLowerCase()));
}
