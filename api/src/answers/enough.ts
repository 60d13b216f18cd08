import type { Evidence } from './evidence.ts';

/**
 * How sure it is that a passage answers, as log odds. A bare score does not tell: what counts is how much of the question one place of the
 * passage says, how alike they are, and how rare what it lacks is. Logistic regression (L2, λ = 5 on standardised evidence, ten-fold
 * cross-validated) on the tuning questions of the bench, those of `refusals-dev.json` and of `fixtures/`, by
 * `tests/bench/retrieval/fit/fit-enough.ts`; see README.md.
 */
const fitted: Record<keyof Evidence, number> = {
  coverage: 1.19,
  said: 2.18,
  saidInOnePlace: 0.83,
  together: 0.9,
  likeness: 0.1,
  titleCoverage: -0.16,
  lead: 1.0,
  rarestMissing: -0.43,
  rarestMissingInPlace: -1.21,
  unknown: -1.39,
  namesMissing: -1.93,
  tellsTime: 1.4,
  lacksNumber: -1.81,
  tellsForm: 0.66,
  lacksForm: -0.8,
  weight: 1.21,
  units: 0.29,
  handbook: -0.16,
  handbookLikeness: 2.39,
  handbookSaid: 0.51,
  handbookUnits: -0.06,
};
const base = -6.19;

/** The same of one's own file: what it is about goes without saying, and counts for nothing. */
const fittedOnFiles: Record<keyof Evidence, number> = {
  coverage: 1.46,
  said: 0.69,
  saidInOnePlace: 0.1,
  together: 1.34,
  likeness: -0.62,
  titleCoverage: 0.12,
  lead: 0.7,
  rarestMissing: -1.55,
  rarestMissingInPlace: -1.24,
  unknown: 0.41,
  namesMissing: -1.5,
  tellsTime: 1.68,
  lacksNumber: -0.57,
  tellsForm: 1.12,
  lacksForm: -1.39,
  weight: 0.65,
  units: 0.02,
  handbook: 0,
  handbookLikeness: 0,
  handbookSaid: 0,
  handbookUnits: 0,
};
const baseOfFiles = -2.4;

function oddsOf(evidence: Evidence, source: JudgedSource): number {
  const [weights, start] = source === 'file' ? [fittedOnFiles, baseOfFiles] : [fitted, base];
  const kinds = Object.keys(weights) as (keyof Evidence)[];
  return kinds.reduce((odds, kind) => odds + weights[kind] * evidence[kind], start);
}

/** From these odds on it answers: chosen so that most questions without an answer are refused, and few others. */
const least = {
  shared: -0.35,
  /** Its sections list the ways they are asked for, so that what answers stands out. */
  handbook: 0,
  /** Of one's own file that came with the question. */
  file: -0.25,
};

export type JudgedSource = keyof typeof least;

/** By how much the odds that a passage answers are beyond what is enough; from 0 on it answers. */
export function beyondEnough(evidence: Evidence, source: JudgedSource): number {
  return oddsOf(evidence, source) - least[source];
}
