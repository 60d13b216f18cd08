import { outcomeOf, type StoredJudgement } from '../../answers/judgement.ts';
import type { AnsweredBy, Outcome } from '../../contract/answers.ts';
import type { FeedbackFilter } from '../../contract/search.ts';
import { termsOf } from '../../text/terms.ts';
import type { RecordDocument } from '../record.ts';

/** The fields from which a record's terms are derived. */
type Termed = 'question' | 'answer' | 'contact' | 'source' | 'feedback' | 'answeredByPerson';
type TermedRecord = Pick<RecordDocument, Termed> & Pick<StoredJudgement, 'outcome'>;

/**
 * Maximum number of terms per record. MongoDB refuses documents with more than 100,000 index keys. An
 * ordinary answer has a few hundred; a longer one is found by its first words only.
 */
export const maxTerms = 20_000;
/** Units of an answer that are indexed; the rest adds few new terms and would block the event loop. */
const maxSearched = 100_000;
/** Units processed per block. */
const blockSize = 4000;

/**
 * The distinct terms by which search finds a record: the words of question and answer (see `termsOf`) and its
 * filter values, so that one index serves every combination of filters. Filter terms start with '=', which no
 * word does. Code that changes one of these fields must write the terms as well. A pure function: an undo
 * recalculates them.
 */
export function recordTerms(record: TermedRecord): string[] {
  const { question, answer, contact } = record;
  const terms = new Set([
    contactTerm(contact?.id ?? ''),
    sourceTerm(answererOf(record)),
    outcomeTerm(finalOutcomeOf(record)),
    feedbackTerm(ratingOf(record)),
  ]);
  for (const block of [...blocksOf(question), ...blocksOf(answer)]) {
    for (const { term } of termsOf(block)) {
      if (terms.size >= maxTerms) return [...terms];
      terms.add(term);
    }
  }
  return [...terms];
}

/** The last word separator; a comma, a full stop or an apostrophe may be part of a word. */
const lastSeparator = /[[\s\p{P}]--[.,'’]](?=[^[\s\p{P}]--[.,'’]]*$)/v;
/** Units that blocks share: two characters outside the BMP. */
const sharedUnits = 4;

/** At word boundaries; in Chinese, blocks overlap by two characters, so that no pair is lost. */
function* blocksOf(text: string): Generator<string> {
  const end = Math.min(text.length, maxSearched);
  for (let from = 0; from < end; ) {
    const limit = Math.min(end, from + blockSize);
    const block = text.slice(from, limit);
    const last = limit === end ? block.length : block.search(lastSeparator) + 1;
    if (last > 0) {
      yield block.slice(0, last);
      from += last;
    } else {
      yield block.toWellFormed();
      from = limit - sharedUnits;
    }
  }
}

/** '' is the owner. */
export function contactTerm(contactId: string): string {
  return `=contact:${contactId}`;
}

/** A person's reply counts more than the desk's answer. */
export function answererOf(record: Pick<RecordDocument, 'source' | 'answeredByPerson'>): AnsweredBy {
  return record.answeredByPerson ? 'person' : record.source;
}

/** A question that a person has answered is answered. */
export function finalOutcomeOf(record: Pick<RecordDocument, 'source' | 'outcome' | 'answeredByPerson'>) {
  return record.answeredByPerson ? 'answered' : outcomeOf(record);
}

/** How lists and exports label the answer: who gave it, or that it is only related. */
export function labelOf(record: Pick<RecordDocument, 'source' | 'outcome' | 'answeredByPerson'>) {
  return finalOutcomeOf(record) === 'related' ? 'related' : answererOf(record);
}

export function ratingOf({ feedback }: Pick<RecordDocument, 'feedback'>): FeedbackFilter {
  if (!feedback) return 'none';
  return feedback.rating === 1 ? 'up' : 'down';
}

export function outcomeTerm(outcome: Outcome): string {
  return `=outcome:${outcome}`;
}

export function sourceTerm(source: AnsweredBy): string {
  return `=source:${source}`;
}

export function feedbackTerm(rating: FeedbackFilter): string {
  return `=feedback:${rating}`;
}
