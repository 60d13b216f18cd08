import type { Outcome } from '../../../../api/src/contract/answers.ts';
import type { CompanyQuestion } from './read-company.ts';

/** The stages of an answer, in their order: at which one the answering passage or its fact is lost. */
export const losses = [
  'not a candidate',
  'a candidate that is not read',
  'read, not among the ten best',
  'sixth to tenth',
  'second to fifth, not quoted',
  'quoted, another sentence or row',
  'nothing, although among ten',
] as const;
export type Loss = (typeof losses)[number];

/** A question of a company with its answer, compared with what it should be. */
export interface CompanyResult {
  question: CompanyQuestion;
  /** Rank of the first answering passage; 0 if none is among the ten best. */
  rank: number;
  outcome: Outcome;
  text: string;
  saysIt: boolean;
  hasFact: boolean;
  /** Whether the fact is in the folded rest of a section or row. */
  isFolded: boolean;
  /** The stage at which the fact was lost; null if it is shown, or nothing answers. */
  loss: Loss | null;
  /** Whether every citation is correct. */
  isTrue: boolean;
  firstMs: number;
  rewritten: string | null;
  ranked: { title: string; place: string; score: number }[];
}
