import type { Model } from 'mongoose';
import { defineModel } from '../../store/define-model.ts';

/**
 * Document frequency of a term within a scope: an edition of the handbook, or a generation of counts of the other shared passages (see
 * shared-counts.ts). Scopes contain no space. The empty term counts all passages of the scope. Private passages are not counted.
 */
export interface TermCount {
  /** `<scope> <term>`. */
  _id: string;
  passages: number;
  /** Only in rows whose id begins with `!`, see shared-counts.ts. */
  version?: number;
  until?: Date;
}

const { create } = defineModel<TermCount>('TermCount', 'term_counts', {
  _id: { type: String, required: true },
  passages: { type: Number, required: true },
  version: Number,
  until: Date,
});

export type TermCountModel = Model<TermCount>;
export const createTermCountModel = create;

export function termCountId(scope: string, term: string): string {
  return `${scope} ${term}`;
}
