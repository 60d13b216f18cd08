import type { Candidate } from '../index/findable.ts';
import { hashOf, placesIn, unpackPlaces } from '../index/packed-terms.ts';
import { termFinder } from '../index/term-sets.ts';
import type { Candidates, CountedUnit, WeightedTerm } from './find-candidates.ts';

/** How far each unit of the question is said, 0–1, in the order of the units. */
export type Coverage = readonly number[];

/** A candidate with its scores for the question. */
export interface RatedPassage {
  candidate: Candidate;
  /** BM25F over all words of the question. */
  words: number;
  /** BM25F over its single Chinese characters. */
  characters: number;
  /** Coverage by the whole passage. */
  coverage: Coverage;
  /** Coverage by its headings, other ways to ask for it and its title. */
  inHeadings: Coverage;
  /** Coverage by all candidates of its document together. */
  inDocument: Coverage;
  /** Share of the question that these say. */
  documentShare: number;
  /** 1 in the question's language, less in another. */
  languageFactor: number;
}

const saturation = 1.2;
const lengthShare = 0.5;
const typicalLength = 300;
const weightOfHeading = 2;
const weightOfTitle = 1;
const otherLanguage = 0.32;

/** Rates candidates by their packed terms alone; no text is read. Pure. */
export function rateCandidates(candidates: Candidates): RatedPassage[] {
  const { found, units, question } = candidates;
  const hashed = units.map((unit) =>
    waysOf(unit).map(({ terms, strength }) => ({ hashes: terms.map(hashOf), strength })),
  );
  const words = hashTerms(candidates.words);
  const characters = hashTerms(candidates.characters);
  const rated = found.map((candidate) => {
    const coverage = units.map(() => 0);
    const inHeadings = units.map(() => 0);
    // Without iterators, which are most of what a question allocates.
    for (let at = 0; at < hashed.length; at += 1)
      for (const { hashes, strength } of hashed[at]!) {
        let [all, above] = [0, 0];
        for (const one of hashes) {
          const byte = placesIn(candidate.weights, one);
          if (byte === 0) continue;
          all += 1;
          const { heading, asked, title } = unpackPlaces(byte);
          if (heading || asked || title) above += 1;
        }
        coverage[at] = Math.max(coverage[at]!, (strength * all) / hashes.length);
        inHeadings[at] = Math.max(inHeadings[at]!, (strength * above) / hashes.length);
      }
    return {
      candidate,
      words: bm25(candidate, words),
      characters: bm25(candidate, characters),
      coverage,
      inHeadings,
      languageFactor: candidate.language === question.language ? 1 : otherLanguage,
    };
  });
  const inDocuments = coverageOfDocuments(rated);
  return rated.map((one) => {
    const inDocument = inDocuments.get(one.candidate.documentId)!;
    return { ...one, inDocument, documentShare: shareOf(inDocument, units) };
  });
}

interface HashedTerm {
  hash: number;
  weight: number;
}

function hashTerms(terms: readonly WeightedTerm[]): HashedTerm[] {
  return terms.map(({ term, weight }) => ({ hash: hashOf(term), weight }));
}

/** BM25 over fields (Robertson, Zaragoza and Taylor, 2004). */
function bm25({ weights, length }: Candidate, terms: readonly HashedTerm[]): number {
  const norm = saturation * (1 - lengthShare + (lengthShare * length) / typicalLength);
  let score = 0;
  for (const { hash, weight } of terms) {
    const byte = placesIn(weights, hash);
    if (byte === 0) continue;
    const { body, heading, asked, title } = unpackPlaces(byte);
    const times = body + (heading || asked ? weightOfHeading : 0) + (title ? weightOfTitle : 0);
    score += (weight * times * (saturation + 1)) / (times + norm);
  }
  return score;
}

/** Some of what a question names may occur in other passages of the document only, above all its organisation or product. */
function coverageOfDocuments(
  rated: readonly Pick<RatedPassage, 'candidate' | 'coverage'>[],
): Map<string, number[]> {
  const best = new Map<string, number[]>();
  for (const { candidate, coverage } of rated) {
    const known = best.get(candidate.documentId) ?? coverage.map(() => 0);
    for (const [at, share] of coverage.entries()) known[at] = Math.max(known[at]!, share);
    best.set(candidate.documentId, known);
  }
  return best;
}

type Units = readonly Pick<CountedUnit, 'groups' | 'near'>[];

/** The unit's own words and those near it. */
const waysOf = ({ groups, near = [] }: Units[number]) => [...groups, ...near];

const finders = new WeakMap<Units, ReturnType<typeof termFinder>>();

function finderOf(units: Units): ReturnType<typeof termFinder> {
  const finder =
    finders.get(units) ?? termFinder(units.flatMap((unit) => waysOf(unit).flatMap(({ terms }) => terms)));
  finders.set(units, finder);
  return finder;
}

/** Coverage of the units by a text. */
export function coverageOf(text: string, units: Units): number[] {
  const terms = finderOf(units)(text);
  return units.map((unit) =>
    Math.max(
      ...waysOf(unit).map(
        (group) =>
          (group.strength * group.terms.filter((term) => terms.has(term)).length) / group.terms.length,
      ),
    ),
  );
}

/** Sum of the units' weights, each by how far it is said. */
export function weightOf(coverage: Coverage, units: readonly CountedUnit[]): number {
  return units.reduce((sum, { weight }, at) => sum + weight * coverage[at]!, 0);
}

/** The same as a share of the question's weight, 0–1. */
export function shareOf(coverage: Coverage, units: readonly CountedUnit[]): number {
  return weightOf(coverage, units) / (units.reduce((sum, { weight }) => sum + weight, 0) || 1);
}

/** Best first by `score`; of equals the one with the smaller id, so that the same question always gets the same answer. */
export function orderBy<T extends RatedPassage>(passages: readonly T[], score: (one: T) => number): T[] {
  return passages
    .map((one) => ({ one, score: score(one) }))
    .sort((a, b) => b.score - a.score || (a.one.candidate._id < b.one.candidate._id ? -1 : 1))
    .map(({ one }) => one);
}

/** Scores are rounded to this: sums of the same values differ by floating-point errors. */
const precision = 1e9;

/**
 * Best first by the mean of several scores, each standardised to mean 0 and variance 1, so that unlike in a fusion of ranks it counts by how much one is better. A missing
 * score counts as the mean; passages of equal scores remain in their order.
 */
export function orderByMean<T>(
  passages: readonly T[],
  scores: readonly ((one: T) => number | undefined)[],
): T[] {
  const standardised = scores.map((score) => {
    const values = passages.flatMap((one) => score(one) ?? []);
    const mean = average(values);
    const deviation = Math.sqrt(average(values.map((value) => (value - mean) ** 2))) || 1;
    return (one: T) => ((score(one) ?? mean) - mean) / deviation;
  });
  const total = (one: T) =>
    Math.round(precision * standardised.reduce((sum, score) => sum + score(one), 0)) / precision;
  return passages
    .map((one) => ({ one, score: total(one) }))
    .sort((a, b) => b.score - a.score)
    .map(({ one }) => one);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}
