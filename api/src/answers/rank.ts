import type { Language } from '../contract.ts';
import type { AnalysedQuestion } from './analyse-question.ts';
import type { Candidate, Candidates, CountedUnit } from './find-candidates.ts';
import { headingMark, weightAt } from './passage-terms.ts';

export interface RankedPassage {
  candidate: Candidate;
  score: number;
  /** Share of the question's content that the passage says, rare words weighing most; 0–1. */
  coverage: number;
  /** The same for its headings and the other ways to ask for it. */
  headingCoverage: number;
  /** How alike the question and the nearest single way to ask for the passage are; 0–1, 0 until compared. */
  likeness: number;
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
  const bonus = new Set(question.bonus);
  const ranked = candidates.found
    .map((candidate) => rateOne(candidate, candidates.units, bonus, question.language))
    .sort((one, other) => other.score - one.score || (one.candidate._id < other.candidate._id ? -1 : 1));
  return collapse(ranked.slice(0, 40));
}

function rateOne(
  candidate: Candidate,
  units: readonly CountedUnit[],
  bonus: ReadonlySet<string>,
  language: Language,
): RankedPassage {
  const weights = weightsOf(candidate, units, bonus);
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const norm = saturation * (1 - lengthShare + (lengthShare * candidate.length) / typicalLength);
  let score = 0;
  let covered = 0;
  let inHeading = 0;
  const missing: string[] = [];
  for (const unit of units) {
    const weight = Math.max(...unit.terms.map((term) => weights.get(term) ?? 0));
    if (weight === 0) missing.push(unit.surface);
    else covered += unit.weight;
    if (unit.terms.some((term) => weights.has(headingMark + term))) inHeading += unit.weight;
    score += (unit.weight * weight * (saturation + 1)) / (weight + norm);
  }
  const literal = [...bonus].reduce((sum, term) => sum + (weights.has(term) ? 0.25 : 0), 0);
  const coverage = covered / whole;
  const headingCoverage = inHeading / whole;
  const fit = candidate.language === language ? 1 : otherLanguage;
  return {
    candidate,
    score: (score + literal) * (0.4 + 0.6 * coverage) * (0.7 + 0.5 * headingCoverage) * fit,
    coverage,
    headingCoverage,
    likeness: 0,
    missing,
  };
}

function weightsOf(
  candidate: Candidate,
  units: readonly CountedUnit[],
  bonus: ReadonlySet<string>,
): Map<string, number> {
  const wanted = new Set(units.flatMap(({ terms }) => terms.flatMap((term) => [term, headingMark + term])));
  const weights = new Map<string, number>();
  for (const [index, term] of candidate.terms.entries()) {
    if (wanted.has(term) || bonus.has(term)) weights.set(term, weightAt(candidate.weights, index));
  }
  return weights;
}

const sameFrom = 0.85;

function collapse(ranked: readonly RankedPassage[]): RankedPassage[] {
  const kept: Array<{ passage: RankedPassage; terms: Set<string> }> = [];
  for (const passage of ranked) {
    const terms = new Set(passage.candidate.terms);
    if (!kept.some((other) => overlap(terms, other.terms) >= sameFrom)) kept.push({ passage, terms });
  }
  return kept.map(({ passage }) => passage);
}

/** Jaccard's index. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of one) if (other.has(term)) shared += 1;
  return shared / (one.size + other.size - shared || 1);
}
