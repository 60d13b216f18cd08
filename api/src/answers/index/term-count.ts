import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, optional, required } from '../../store/fields.ts';

const fields = {
  /** `<scope> <term>`. */
  _id: required(String),
  passages: required(Number),
  /** Only in rows whose id begins with `!`, see shared-counts.ts. */
  version: optional(Number),
  until: optional(Date),
};

/**
 * Document frequency of a term within a scope: an edition of the handbook, or a collection in a generation of
 * counts (see shared-counts.ts). Scopes contain no space. The empty term counts all passages. Private
 * passages are not counted.
 */
export type TermCount = DocumentOf<typeof fields>;

export const termCountModel = defineModel<TermCount>('TermCount', 'term_counts', fields);

export function termCountId(scope: string, term: string): string {
  return `${scope} ${term}`;
}
