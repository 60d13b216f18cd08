import type { Language } from '../contract.ts';
import type { AnalysedQuestion } from './analyse-question.ts';
import type { Candidate, Candidates, CountedUnit } from './find-candidates.ts';
import { hashOf, likenessOfTerms, placesIn, unpackPlaces } from './packed-terms.ts';
import type { Ways } from './prefer-alike.ts';

export interface RankedPassage {
  candidate: Candidate;
  score: number;
  /** Share of the question's content that the passage says, rare words weighing most; 0–1. */
  coverage: number;
  /** The same for its headings and the other ways to ask for it. */
  headingCoverage: number;
  /** How alike the question and the nearest single way to ask for the passage are; 0–1, 0 until compared. */
  likeness: number;
  /** What was read of it, where it was compared. */
  known?: Ways | undefined;
  missing: string[];
}

const saturation = 1.2;
const lengthShare = 0.6;
const otherLanguage = 0.4;
const typicalLength = 220;

/**
 * Orders candidates by BM25 over weighted fields, with what they cover of the question on top. Near-duplicates of a better one
 * are dropped. Pure.
 */
export function rank(question: AnalysedQuestion, candidates: Candidates): RankedPassage[] {
  const bonus = question.bonus.map(hashOf);
  const units = candidates.units.map((unit) => ({ ...unit, hashes: unit.terms.map(hashOf) }));
  const ranked = candidates.found
    .map((candidate) => rateOne(candidate, units, bonus, question.language))
    .sort((one, other) => other.score - one.score || (one.candidate._id < other.candidate._id ? -1 : 1));
  return collapse(ranked.slice(0, mostRanked));
}

interface HashedUnit extends CountedUnit {
  hashes: number[];
}

const headingWeight = 3;
const titleWeight = 1;

function rateOne(
  { weights, ...candidate }: Candidate,
  units: readonly HashedUnit[],
  bonus: readonly number[],
  language: Language,
): RankedPassage {
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const norm = saturation * (1 - lengthShare + (lengthShare * candidate.length) / typicalLength);
  let score = 0;
  let covered = 0;
  let inHeading = 0;
  const missing: string[] = [];
  for (const unit of units) {
    let weight = 0;
    let isHeading = false;
    for (const hash of unit.hashes) {
      const { body, heading, asked, title } = unpackPlaces(placesIn(weights, hash));
      if (heading || asked) isHeading = true;
      weight = Math.max(weight, body + (heading || asked ? headingWeight : 0) + (title ? titleWeight : 0));
    }
    if (weight === 0) missing.push(unit.surface);
    else covered += unit.weight;
    if (isHeading) inHeading += unit.weight;
    score += (unit.weight * weight * (saturation + 1)) / (weight + norm);
  }
  const literal = bonus.reduce((sum, hash) => sum + (placesIn(weights, hash) > 0 ? 0.25 : 0), 0);
  const coverage = covered / whole;
  const headingCoverage = inHeading / whole;
  const fit = candidate.language === language ? 1 : otherLanguage;
  return {
    candidate: { ...candidate, weights },
    score: (score + literal) * (0.4 + 0.6 * coverage) * (0.7 + 0.5 * headingCoverage) * fit,
    coverage,
    headingCoverage,
    likeness: 0,
    missing,
  };
}

/** Enough to answer, to offer and to explain by. */
const mostRanked = 24;
const sameFrom = 0.85;

function collapse(ranked: readonly RankedPassage[]): RankedPassage[] {
  const kept: RankedPassage[] = [];
  for (const passage of ranked) {
    if (!kept.some((other) => isNearlySame(passage, other))) kept.push(passage);
  }
  return kept;
}

/** Passages of other lengths differ, so that few are compared term by term. */
function isNearlySame(one: RankedPassage, other: RankedPassage): boolean {
  const lengths = [one.candidate.length, other.candidate.length];
  if (Math.min(...lengths) < sameFrom * Math.max(...lengths)) return false;
  const { candidate } = one;
  if (candidate.language !== other.candidate.language) return false;
  return likenessOfTerms(candidate.weights, other.candidate.weights) >= sameFrom;
}
