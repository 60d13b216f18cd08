import type { IncompleteSource, SourcePlace } from './sources.ts';

/** Source of an answer: a curated pair, a document, a model, or none (nothing good enough was found). */
export type AnswerSource = 'curated' | 'document' | 'model' | 'none';

/** How far the desk could answer: not at all (*nothing*), or with passages that may help but are no direct answer (*related*). */
export type Outcome = 'answered' | 'related' | 'nothing';

/**
 * A part of a model's answer that nothing supports, in UTF-16 units of the answer: a citation of a passage that says nothing of its sentence (not to be
 * shown), what a sentence with only such citations says before the last of them, or a number that no cited passage contains.
 */
export interface Doubt {
  kind: 'citation' | 'sentence' | 'number';
  start: number;
  end: number;
}

/** How an answer was judged. A *related* or *nothing* answer has the source `none`; a *related* one cites what may help. */
export interface Judgement {
  outcome: Outcome;
  /** Parts of the question, in the asker's words, that the cited documents do not support; missing if there are none. Not part of the answer's text. */
  unsupported?: string[];
  /** The question together with the earlier ones that it was understood to depend on; missing if it was answered alone. */
  understoodAs?: string;
  /** In the order of their ends; missing if there are none. */
  doubts?: Doubt[];
}

/** Who answered a question: a person who replied to it, otherwise the source of the desk's answer. */
export type AnsweredBy = AnswerSource | 'person';

/**
 * A source quoted for an answer. `start` and `end` are UTF-16 positions in the document's extracted text,
 * with `text.slice(start, end) === quote`. `[n]` in an answer refers to `citations[n - 1]`. `href` is
 * `/api/passages/:id`.
 */
export interface Citation {
  title: string;
  quote: string;
  start: number;
  end: number;
  href: string;
  /** Whether it quotes a file of the asker, not the shared knowledge base; missing in records of earlier versions. */
  isPrivate?: boolean;
  /** Heading path of the quote, for display; missing above the first heading. */
  place?: string;
  /** The rest of its section, as Markdown that screens show on request; missing if everything is in the answer. */
  restOfSection?: string;
  /** The columns of its table row that are not in the answer, with their names; missing if all are. */
  restOfRow?: string;
}

/**
 * GET /api/passages/:id. `start` and `end` are the position of `text` in its document; `place` is its heading
 * path, for display; `columns` is the header row if `text` starts inside a table, otherwise missing.
 */
export interface Passage {
  documentId: string;
  title: string;
  text: string;
  start: number;
  end: number;
  place: string;
  columns?: string;
  /** Where its start is found in the file; missing if unknown. */
  at?: SourcePlace;
}

/**
 * GET /api/records/:id/why: the explanation of an answer. Parts are `null` if that stage was not reached: a
 * curated answer needs no passages.
 */
export interface AnswerReason {
  verdict: 'curated' | 'answered' | 'weak' | 'nothing';
  /** The question as it was searched, if it was completed from the conversation. */
  rewritten: string | null;
  /**
   * Earlier questions of the conversation that were searched together with this one, oldest first; missing in
   * older records.
   */
  context?: string[];
  /** The matching curated question, and its similarity (1 is identical). */
  pair: { question: string; similarity: number } | null;
  /** The search terms of the question; `passages` is the number of passages with the term, of `total`. */
  terms: { word: string; weight: number; passages: number }[];
  total: number;
  /** Number of candidate passages. */
  candidates: number;
  /** The best candidates, best first, at most 10. */
  ranked: {
    href: string;
    title: string;
    place: string;
    score: number;
    /** Fraction of the question's content that the passage covers, 0–1. */
    coverage: number;
    missing: string[];
    /** Whether the answer cites it. */
    taken: boolean;
  }[];
  /** The cited documents, and the files of the question, of which something could not be read; missing if none. */
  incomplete?: IncompleteSource[];
}

/** GET /api/starters: at most three example questions in the caller's language; may be empty. */
export interface StarterList {
  starters: string[];
}
