import { termsOf } from '../answers/terms.ts';
import type { FeedbackFilter } from '../contract.ts';
import type { RecordDocument } from '../models/record.ts';

/** What of a record its terms are made of. */
export type TermedRecord = Pick<RecordDocument, 'question' | 'answer' | 'contact' | 'source' | 'feedback'>;

/**
 * Everything that search finds a record by, each once: the words of question and answer (see `termsOf`) and what it is filtered by, as
 * terms too, so that one index serves every filter in any combination. Facets begin with '=', which no word does.
 * Whoever changes one of a record's fields writes its terms along. A pure function of them: an undo makes them anew.
 */
export function recordTerms({ question, answer, contact, source, feedback }: TermedRecord): string[] {
  const words = [...termsOf(question), ...termsOf(answer)].map(({ term }) => term);
  const rating = feedback === null ? 'none' : feedback.rating === 1 ? 'up' : 'down';
  const facets = [contactTerm(contact?.id ?? ''), sourceTerm(source), feedbackTerm(rating)];
  return [...new Set([...words, ...facets])];
}

/** '' is oneself. */
export function contactTerm(contactId: string): string {
  return `=contact:${contactId}`;
}

export function sourceTerm(source: RecordDocument['source']): string {
  return `=source:${source}`;
}

export function feedbackTerm(rating: FeedbackFilter): string {
  return `=feedback:${rating}`;
}
