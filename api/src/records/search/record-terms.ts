import type { FeedbackFilter } from '../../contract/contract.ts';
import { termsOf } from '../../text/terms.ts';
import type { RecordDocument } from '../record.ts';

/** What of a record its terms are made of. */
export type TermedRecord = Pick<RecordDocument, 'question' | 'answer' | 'contact' | 'source' | 'feedback'>;

/**
 * Terms of one record. MongoDB refuses a document with more than 100,000 index keys. An answer of usual length has some hundred; one
 * that has more than these is found by its first words only.
 */
export const mostTerms = 20_000;
/** Units of an answer that search reads; the rest adds few new terms, and takes time in which nothing else runs. */
export const mostSearched = 100_000;
/** Units that are read in one go. */
const blockSize = 4000;

/**
 * Everything that search finds a record by, each once: the words of question and answer (see `termsOf`) and what it is filtered by, as
 * terms too, so that one index serves every filter in any combination. Facets begin with '=', which no word does.
 * Whoever changes one of a record's fields writes its terms along. A pure function of them: an undo makes them anew.
 */
export function recordTerms({ question, answer, contact, source, feedback }: TermedRecord): string[] {
  const rating = feedback === null ? 'none' : feedback.rating === 1 ? 'up' : 'down';
  const terms = new Set([contactTerm(contact?.id ?? ''), sourceTerm(source), feedbackTerm(rating)]);
  for (const block of [...blocksOf(question), ...blocksOf(answer)]) {
    for (const { term } of termsOf(block)) {
      if (terms.size >= mostTerms) return [...terms];
      terms.add(term);
    }
  }
  return [...terms];
}

/** The last separator of words; a comma, a full stop or an apostrophe may be part of one. */
const lastSeparator = /[[\s\p{P}]--[.,'’]](?=[^[\s\p{P}]--[.,'’]]*$)/v;
/** Two characters outside the BMP. */
const sharedUnits = 4;

/** Cuts a text where a word ends; within a long run of Chinese, blocks share two characters, so that no pair is lost. */
function* blocksOf(text: string): Generator<string> {
  const end = Math.min(text.length, mostSearched);
  for (let from = 0; from < end; ) {
    const most = Math.min(end, from + blockSize);
    const block = text.slice(from, most);
    const last = most === end ? block.length : block.search(lastSeparator) + 1;
    if (last > 0) {
      yield block.slice(0, last);
      from += last;
    } else {
      yield block.toWellFormed();
      from = most - sharedUnits;
    }
  }
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
