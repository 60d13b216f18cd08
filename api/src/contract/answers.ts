/** Where an answer came from: a curated pair, a document, a model, or nowhere (nothing good enough was found). */
export type AnswerSource = 'curated' | 'document' | 'model' | 'none';

/**
 * One proof of an answer. `start` and `end` count UTF-16 units of the document's extracted text, and
 * `text.slice(start, end) === quote`. `[n]` in an answer is `citations[n - 1]`. `href` is `/api/passages/:id`.
 */
export interface Citation {
  title: string;
  quote: string;
  start: number;
  end: number;
  href: string;
}

/**
 * GET /api/passages/:id. `start` and `end` place `text` in its document; `place` is its heading path, for people; `columns` is the header row of
 * the table that `text` begins inside of, missing elsewhere.
 */
export interface Passage {
  title: string;
  text: string;
  start: number;
  end: number;
  place: string;
  columns?: string;
}

/**
 * GET /api/records/:id/why: why the owner's record was answered as it was. `null` parts were not come to: a curated answer needs no
 * passages.
 */
export interface AnswerReason {
  verdict: 'curated' | 'answered' | 'weak' | 'nothing';
  /** The question as it was looked up, where the conversation was needed to understand it. */
  rewritten: string | null;
  /** Earlier questions of the conversation that were searched for together with this one, oldest first; missing in older records. */
  context?: string[];
  /** The curated question that matched, and how well (1 is the same). */
  pair: { question: string; similarity: number } | null;
  /** What the question asks about; `passages` is how many say it, of `total`. */
  terms: { word: string; weight: number; passages: number }[];
  total: number;
  /** How many passages were looked at. */
  candidates: number;
  /** The best of them, best first, at most 10. */
  ranked: {
    href: string;
    title: string;
    place: string;
    score: number;
    /** Share of the question's content that the passage says, 0–1. */
    coverage: number;
    missing: string[];
    /** Whether the answer cites it. */
    taken: boolean;
  }[];
}

/** GET /api/starters: at most three questions to begin with, in the caller's language; none where the desk knows of none. */
export interface StarterList {
  starters: string[];
}
