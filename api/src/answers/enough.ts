import type { Evidence } from './evidence.ts';

/**
 * How sure it is that a passage answers, as log odds. A bare score does not tell: what counts is how much of the question one place of the
 * passage says, how alike they are, and how rare what it lacks is. Logistic regression (L2, λ = 3 on standardised evidence, ten-fold
 * cross-validated) on the tuning questions of the bench, those of `refusals-dev.json` and of `fixtures/`; see README.md.
 */
const fitted: Record<keyof Evidence, number> = {
  coverage: 0.51,
  said: 3.28,
  saidInOnePlace: 0.18,
  together: 1.63,
  likeness: 2.25,
  titleCoverage: 0.43,
  lead: 1.08,
  rarestMissing: -1.21,
  rarestMissingInPlace: -1.26,
  unknown: -0.71,
  namesMissing: -1.74,
  tellsTime: 1.71,
  lacksNumber: -1.78,
  tellsForm: 0,
  lacksForm: 0,
  weight: 1.02,
  units: 0.34,
};
const base = -5.91;

/** The same of one's own file: what it is about goes without saying, and counts for nothing. */
const fittedOnFiles: Record<keyof Evidence, number> = {
  coverage: 1.34,
  said: 0.74,
  saidInOnePlace: -0.13,
  together: 1.36,
  likeness: -0.43,
  titleCoverage: -0.2,
  lead: 0.68,
  rarestMissing: -1.69,
  rarestMissingInPlace: -1.33,
  unknown: 0.34,
  namesMissing: -1.52,
  tellsTime: 1.6,
  lacksNumber: -1.22,
  tellsForm: 0,
  lacksForm: 0,
  weight: 0.8,
  units: -0.01,
};
const baseOfFiles = -2.46;

function oddsOf(evidence: Evidence, source: JudgedSource): number {
  const [weights, start] = source === 'file' ? [fittedOnFiles, baseOfFiles] : [fitted, base];
  const kinds = Object.keys(weights) as (keyof Evidence)[];
  return kinds.reduce((odds, kind) => odds + weights[kind] * evidence[kind], start);
}

/** From these odds on it answers: chosen so that most questions without an answer are refused, and few others. */
const least = {
  shared: -0.9,
  /** Its sections list the ways they are asked for, so that what answers stands out. */
  handbook: -0.25,
  /** Of one's own file that came with the question. */
  file: -0.25,
};

export type JudgedSource = keyof typeof least;

/** By how much the odds that a passage answers are beyond what is enough; from 0 on it answers. */
export function beyondEnough(evidence: Evidence, source: JudgedSource): number {
  return oddsOf(evidence, source) - least[source];
}
