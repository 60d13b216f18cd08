import { analyseQuestion } from './analyse-question.ts';
import type { Candidates, CountedUnit } from './find-candidates.ts';
import { asksFor, tellsOf } from './kind-asked.ts';
import { namesIn } from './names-in.ts';
import { weigh } from './rank.ts';
import { type ReadPassage, saidIn } from './read-closely.ts';

/** What speaks for and against that the best passages answer. Shares are 0–1, *weight* is inverse document frequency. */
export interface Evidence {
  /** Share of the question's weight that the document of the best passage says. */
  documentShare: number;
  /** Share of the question, however rare, that the best place of the best passage says. */
  place: number;
  /** Weight of the rarest unit that each of the best five lacks, the least of them, in eighths. */
  rarestMissing: number;
  /** Names in the question that the best passage lacks. */
  namesMissing: number;
  /** Content words that the knowledge base never says: their number, and their share. */
  unknownWords: number;
  unknownShare: number;
  /** A number is asked for, and the best passage holds none: 1. */
  lacksNumber: number;
  /** A time is asked for, and the best passage tells one: 1. */
  tellsTime: number;
  /** Natural logarithm of one more than the question's weight. */
  weight: number;
}

const judged = 5;
const isSaid = 0.5;
const content = 0.6;

/**
 * What is known of the best passages before they are judged; null where there is none. Words of the document's title count for nothing
 * with `isFile`: all of one's own file is about them. Pure.
 */
export function evidenceOf(
  ranked: readonly ReadPassage[],
  { question, text, units, unknownWords }: Candidates,
  isFile: boolean,
): Evidence | null {
  const top = ranked.slice(0, judged);
  const [best] = top;
  if (best === undefined) return null;
  const counted = unitsThatCount(units, isFile ? best.passage.title : '');
  const sum = (of: (unit: CountedUnit, at: number) => number) =>
    units.reduce((all, unit, at) => (counted[at] ? all + of(unit, at) : all), 0);
  const names = namesIn(text);
  const weight = sum((unit) => unit.weight);
  const rarestOf = ({ said }: ReadPassage) =>
    Math.max(0, ...units.map((unit, at) => (counted[at] && said[at]! < isSaid ? unit.weight : 0))) / 8;
  return {
    documentShare: sum((unit, at) => unit.weight * best.inDocument[at]!) / (weight || 1),
    place: sum(({ share }, at) => share * best.place[at]!) / (sum(({ share }) => share) || 1),
    rarestMissing: Math.min(...top.map(rarestOf)),
    namesMissing: sum(({ surface, groups }, at) =>
      groups.length === 1 && names.has(surface) && best.said[at]! < isSaid ? 1 : 0,
    ),
    unknownWords,
    unknownShare: unknownWords / (question.contentWords.length || 1),
    lacksNumber: asksFor('amount', text) && !tellsOf('amount', best.passage.text) ? 1 : 0,
    tellsTime: asksFor('time', text) && tellsOf('time', best.passage.text) ? 1 : 0,
    weight: Math.log(1 + weight),
  };
}

/** All units but those of the title; all where nothing else is left. */
function unitsThatCount(units: readonly CountedUnit[], title: string): boolean[] {
  const all = units.map(() => true);
  if (title === '') return all;
  const topic = saidIn(title, units);
  const rest = topic.map((share) => share < 1);
  return units.some(({ share }, at) => rest[at] && share >= content) ? rest : all;
}

/** How alike a question and a passage's heading are, 0–1: the harmonic mean of the shares that they say of each other. */
export function likenessOf({ passage }: ReadPassage, units: readonly CountedUnit[]): number {
  const heading = passage.ways[0] ?? '';
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const said = weigh(saidIn(heading, units), units) / whole;
  if (said === 0) return 0;
  const asked = new Set(units.flatMap(({ terms }) => terms));
  const own = analyseQuestion(heading, passage.language).units;
  const shared = own.filter(({ terms }) => terms.some((term) => asked.has(term))).length / (own.length || 1);
  return (2 * said * shared) / (said + shared);
}

/**
 * Log odds that they answer. Logistic regression (L2, λ = 5 on standardised evidence, cross-validated by documents) by
 * `tests/bench/retrieval/fit/fit-enough.ts`; see README.md.
 */
const fitted: Record<keyof Evidence, number> = {
  documentShare: 2.06,
  place: 2.21,
  rarestMissing: -2.56,
  namesMissing: -1.27,
  unknownWords: 0.99,
  unknownShare: -1.76,
  lacksNumber: -0.76,
  tellsTime: 0.71,
  weight: 2.06,
};
const base = -6.54;

/** The same of one's own file that came with the question. */
const fittedOnFiles: Record<keyof Evidence, number> = {
  documentShare: 0.9,
  place: 1.11,
  rarestMissing: -2.99,
  namesMissing: -1.45,
  unknownWords: 0.42,
  unknownShare: -0.61,
  lacksNumber: 0,
  tellsTime: 2.25,
  weight: 1.26,
};
const baseOfFiles = -2.67;

/**
 * From these odds on they answer: two points more that are rightly refused cost about one that is falsely refused. The handbook's sections
 * list how else they are asked for, so that what answers stands out.
 */
const least = { shared: 0.3, handbook: -0.3, file: 0 };

export type JudgedSource = keyof typeof least;

/** By how much the odds that the passages answer are beyond what is enough; from 0 on they do. */
export function beyondEnough(evidence: Evidence | null, source: JudgedSource): number {
  if (evidence === null) return Number.NEGATIVE_INFINITY;
  const [weights, start] = source === 'file' ? [fittedOnFiles, baseOfFiles] : [fitted, base];
  const kinds = Object.keys(weights) as (keyof Evidence)[];
  return kinds.reduce((odds, kind) => odds + weights[kind] * evidence[kind], start) - least[source];
}
