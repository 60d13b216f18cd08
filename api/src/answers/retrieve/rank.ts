import type { Candidate } from '../index/findable.ts';
import { isAboveBody, unpackPlaces } from '../index/packed-terms.ts';
import { termFinder } from '../index/term-sets.ts';
import type { TermGroup } from './analyse-question.ts';
import { type Candidates, type CountedUnit, type WeightedTerm, waysOf } from './find-candidates.ts';

/** The share of each unit of a question that a text contains, 0–1, in the order of the units. */
export type Coverage = readonly number[];

/** Coverage from which on a text *says* a unit. */
export const minSaid = 0.5;

/** A candidate with its scores for the question. */
export interface ScoredPassage {
  candidate: Candidate;
  /** Its index in the list of candidates. */
  at: number;
  /** BM25F over all words of the question. */
  words: number;
  /** BM25F over its single Chinese characters. */
  characters: number;
  /** Share of the question that the candidates of its document contain together. */
  documentShare: number;
  /** 1 in the question's language, less in another. */
  languageFactor: number;
}

/** A scored candidate with its coverage of each unit. */
export interface RatedPassage extends ScoredPassage {
  /** Coverage by the whole passage. */
  coverage: Coverage;
  /** Coverage by its title, headings and other ways to ask for it. */
  inHeadings: Coverage;
  /** Coverage by the candidates of its document together. */
  inDocument: Coverage;
}

/** Parameters k1 and b of BM25, typical length in terms, and weights of fields (1 for the body). */
const saturation = 1.2;
const lengthShare = 0.5;
const typicalLength = 300;
const weightOfHeading = 2;
const weightOfTitle = 1;
const otherLanguage = 0.32;

/**
 * Scores candidates by their packed terms; no text is read. `withCoverage` adds the coverage of one
 * candidate, which is needed for few of hundreds. Scores are typed arrays by candidate, as objects were most
 * of what a question allocated. Pure.
 */
export function rateCandidates({ found, units, words, characters, question, placesOf }: Candidates) {
  const count = found.length;
  const coverage = units.map(() => new Float64Array(count));
  const inHeadings = units.map(() => new Float64Array(count));
  const all = new Uint8Array(count);
  const above = new Uint8Array(count);
  for (const [at, unit] of units.entries())
    for (const { terms, strength } of waysOf(unit)) {
      all.fill(0);
      above.fill(0);
      for (const term of terms) {
        const places = placesOf(term);
        for (let row = 0; row < count; row += 1) {
          if (places[row] === 0) continue;
          all[row]! += 1;
          if (isAboveBody(places[row]!)) above[row]! += 1;
        }
      }
      raise(coverage[at]!, all, strength, terms.length);
      raise(inHeadings[at]!, above, strength, terms.length);
    }
  const norms = Float64Array.from(
    found,
    ({ length }) => saturation * (1 - lengthShare + (lengthShare * length) / typicalLength),
  );
  const scoreOf = (terms: readonly WeightedTerm[]) => bm25(terms, norms, placesOf);
  const [byWords, byCharacters] = [scoreOf(words), scoreOf(characters)];
  const documents = documentsOf(found, coverage);
  const shares = new Map([...documents].map(([id, said]) => [id, shareOf(said, units)]));
  const scored = found.map(
    (candidate, at): ScoredPassage => ({
      candidate,
      at,
      words: byWords[at]!,
      characters: byCharacters[at]!,
      documentShare: shares.get(candidate.documentId)!,
      languageFactor: candidate.language === question.language ? 1 : otherLanguage,
    }),
  );
  const withCoverage = (one: ScoredPassage): RatedPassage => ({
    ...one,
    coverage: coverage.map((column) => column[one.at]!),
    inHeadings: inHeadings.map((column) => column[one.at]!),
    inDocument: documents.get(one.candidate.documentId)!,
  });
  return { scored, withCoverage };
}

/** Raises each share to `strength` times the share of `most` terms that the candidate contains. */
function raise(shares: Float64Array, said: Uint8Array, strength: number, most: number): void {
  for (let row = 0; row < said.length; row += 1) {
    const share = (strength * said[row]!) / most;
    if (share > shares[row]!) shares[row] = share;
  }
}

/** BM25 over fields (Robertson, Zaragoza and Taylor, 2004). */
function bm25(
  terms: readonly WeightedTerm[],
  norms: Float64Array,
  placesOf: Candidates['placesOf'],
): Float64Array {
  const scores = new Float64Array(norms.length);
  for (const { term, weight } of terms) {
    const places = placesOf(term);
    for (let row = 0; row < places.length; row += 1) {
      if (places[row] === 0) continue;
      const times = timesIn(places[row]!);
      scores[row]! += (weight * times * (saturation + 1)) / (times + norms[row]!);
    }
  }
  return scores;
}

/** Weighted frequency of a term in a passage, from its packed byte. */
function timesIn(byte: number): number {
  const { body, heading, asked, title } = unpackPlaces(byte);
  return body + (heading || asked ? weightOfHeading : 0) + (title ? weightOfTitle : 0);
}

/**
 * The largest coverage of each unit by document. What a question names, above all its organisation or
 * product, may occur only in other passages of the document.
 */
function documentsOf(found: readonly Candidate[], coverage: readonly Float64Array[]): Map<string, number[]> {
  const best = new Map<string, number[]>();
  for (let row = 0; row < found.length; row += 1) {
    const { documentId } = found[row]!;
    const known = best.get(documentId) ?? coverage.map(() => 0);
    for (let at = 0; at < coverage.length; at += 1) known[at] = Math.max(known[at]!, coverage[at]![row]!);
    best.set(documentId, known);
  }
  return best;
}

type Units = readonly Pick<CountedUnit, 'groups' | 'near'>[];

const finders = new WeakMap<Units, ReturnType<typeof termFinder>>();

function finderOf(units: Units): ReturnType<typeof termFinder> {
  const finder =
    finders.get(units) ?? termFinder(units.flatMap((unit) => waysOf(unit).flatMap(({ terms }) => terms)));
  finders.set(units, finder);
  return finder;
}

/** The coverage of the units by a text. */
export function coverageOf(text: string, units: Units): number[] {
  const found = finderOf(units)(text);
  let next = 0;
  const shareOfWay = ({ terms, strength }: TermGroup) => {
    let said = 0;
    for (const end = next + terms.length; next < end; next += 1) if (found[next]) said += 1;
    return (strength * said) / terms.length;
  };
  return units.map(({ groups, near = [] }) => {
    let most = 0;
    for (const way of groups) most = Math.max(most, shareOfWay(way));
    for (const way of near) most = Math.max(most, shareOfWay(way));
    return most;
  });
}

/** The sum of the units' weights, each multiplied by its coverage. */
export function weightOf(coverage: Coverage, units: readonly CountedUnit[]): number {
  return units.reduce((sum, { weight }, at) => sum + weight * coverage[at]!, 0);
}

/** The covered share of the question's weight, 0–1. */
export function shareOf(coverage: Coverage, units: readonly CountedUnit[]): number {
  return weightOf(coverage, units) / (units.reduce((sum, { weight }) => sum + weight, 0) || 1);
}

/** Sorts by score, best first; equal ones by id, so that the same question always gets the same answer. */
export function orderBy<T extends ScoredPassage>(passages: readonly T[], score: (one: T) => number): T[] {
  return passages
    .map((one) => ({ one, score: score(one) }))
    .sort((a, b) => b.score - a.score || (a.one.candidate._id < b.one.candidate._id ? -1 : 1))
    .map(({ one }) => one);
}

/** The list with `one` moved to the front; unchanged if it is undefined. */
export function withFirst<T>(list: readonly T[], one: T | undefined): readonly T[] {
  return one === undefined ? list : [one, ...list.filter((other) => other !== one)];
}

/** Sums are rounded to 1 / `precision`, as they differ by floating-point errors. */
const precision = 1e9;

/**
 * Sorts by the sum of several scores, best first. Each score is standardised to mean 0 and variance 1, so
 * that, unlike in a fusion of ranks, the difference between two scores counts. A missing score counts as the
 * mean. Stable.
 */
export function orderBySum<T>(
  passages: readonly T[],
  scores: readonly ((one: T) => number | undefined)[],
): { one: T; sum: number }[] {
  const standardised = scores.map((score) => {
    const values = passages.flatMap((one) => score(one) ?? []);
    const mean = average(values);
    const deviation = Math.sqrt(average(values.map((value) => (value - mean) ** 2))) || 1;
    return (one: T) => ((score(one) ?? mean) - mean) / deviation;
  });
  const sumOf = (one: T) =>
    Math.round(precision * standardised.reduce((sum, score) => sum + score(one), 0)) / precision;
  return passages.map((one) => ({ one, sum: sumOf(one) })).sort((a, b) => b.sum - a.sum);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}
