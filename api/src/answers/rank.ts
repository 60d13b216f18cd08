import type { AnalysedQuestion } from './analyse-question.ts';
import type { Candidate, Candidates, CountedUnit } from './find-candidates.ts';
import { areAlike, hashOf, placesIn, unpackPlaces } from './packed-terms.ts';

export interface RankedPassage {
  candidate: Candidate;
  score: number;
  /** Sum over what the question says of how rare it is and how often the passage says it (BM25 over fields). */
  said: number;
  /** Share of the question's content that the passage says anywhere, rare words weighing most; 0–1. */
  coverage: number;
  /** The same for its heading and the other ways to ask for it. */
  headingCoverage: number;
  /** The same for the headings and the title above. */
  titleCoverage: number;
  missing: string[];
  /** BM25 over every word of the question, the heading counting twice. */
  plain: number;
}

const saturation = 1.2;
const lengthShare = 0.6;
const typicalLength = 300;
const weightOfHeading = 3;
const weightOfTitle = 1;

/** Enough to answer, to offer and to explain by. */
export const mostRanked = 40;

/**
 * Orders candidates by BM25 over weighted fields, with what they cover of the question on top. Near-duplicates of a better one
 * are dropped. Pure.
 */
export function rank(question: AnalysedQuestion, candidates: Candidates): RankedPassage[] {
  const units = candidates.units.map((unit) => ({
    ...unit,
    hashed: unit.groups.map(({ terms, strength }) => ({ hashes: terms.map(hashOf), strength })),
  }));
  const words = candidates.words.map(({ term, weight }) => ({ hash: hashOf(term), weight }));
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const ranked = candidates.found
    .map((candidate) => ({
      ...rateOne(candidate, units, whole, question),
      plain: plainScore(candidate, words),
    }))
    .sort((one, other) => other.score - one.score || (one.candidate._id < other.candidate._id ? -1 : 1));
  return ranked;
}

function plainScore(
  { weights, length }: Candidate,
  words: readonly { hash: number; weight: number }[],
): number {
  const norm = saturation * (1 - plainLengthShare + (plainLengthShare * length) / typicalLength);
  let score = 0;
  for (const { hash, weight } of words) {
    const byte = placesIn(weights, hash);
    if (byte === 0) continue;
    const { body, heading, asked, title } = unpackPlaces(byte);
    const times = body + (heading || asked ? 2 : 0) + (title ? 1 : 0);
    score += (weight * times * (saturation + 1)) / (times + norm);
  }
  return score;
}

const plainLengthShare = 0.75;

interface HashedUnit extends CountedUnit {
  hashed: { hashes: number[]; strength: number }[];
}

const otherLanguage = 0.32;
/** How much the sum over words counts beside what is covered. These were chosen on the tuning set, see README.md. */
const emphasis = 0.6;

function rateOne(
  candidate: Candidate,
  units: readonly HashedUnit[],
  whole: number,
  question: AnalysedQuestion,
): Omit<RankedPassage, 'plain'> {
  const norm = saturation * (1 - lengthShare + (lengthShare * candidate.length) / typicalLength);
  let score = 0;
  let covered = 0;
  let inHeading = 0;
  let inTitle = 0;
  const missing: string[] = [];
  for (const unit of units) {
    const said = sayUnit(unit, candidate.weights, norm);
    if (said.share < 0.5) missing.push(unit.surface);
    covered += unit.weight * said.share;
    inHeading += unit.weight * said.inHeading;
    inTitle += unit.weight * said.inTitle;
    score += unit.weight * said.score;
  }
  const coverage = covered / whole;
  const headingCoverage = inHeading / whole;
  const titleCoverage = inTitle / whole;
  const fit = candidate.language === question.language ? 1 : otherLanguage;
  return {
    candidate,
    said: score,
    score:
      score ** emphasis *
      (0.49 + 0.51 * coverage) *
      (0.7 + 0.42 * headingCoverage + 0.28 * titleCoverage) *
      fit,
    coverage,
    headingCoverage,
    titleCoverage,
    missing,
  };
}

/** How far, and how emphatically, a passage says a unit: by the best of the ways to say it. */
function sayUnit({ hashed }: HashedUnit, weights: Buffer, norm: number) {
  const best = { score: 0, share: 0, inHeading: 0, inTitle: 0 };
  for (const { hashes, strength } of hashed) {
    const one = { score: 0, share: 0, inHeading: 0, inTitle: 0 };
    for (const hash of hashes) {
      const byte = placesIn(weights, hash);
      if (byte === 0) continue;
      const { body, heading, asked, title } = unpackPlaces(byte);
      const times = body + (heading || asked ? weightOfHeading : 0) + (title ? weightOfTitle : 0);
      const part = strength / hashes.length;
      one.score += (part * times * (saturation + 1)) / (times + norm);
      one.share += part;
      if (heading || asked) one.inHeading += part;
      if (title) one.inTitle += part;
    }
    best.score = Math.max(best.score, one.score);
    best.share = Math.max(best.share, one.share);
    best.inHeading = Math.max(best.inHeading, one.inHeading);
    best.inTitle = Math.max(best.inTitle, one.inTitle);
  }
  return best;
}

const sameFrom = 0.85;

export function collapse(ranked: readonly RankedPassage[]): RankedPassage[] {
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
  return areAlike(candidate.weights, other.candidate.weights, sameFrom);
}
