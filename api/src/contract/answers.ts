import { z } from 'zod';
import { IncompleteSource, SourcePlace } from './sources.ts';

/** Source of an answer: a curated pair, a document, a model, or none (nothing good enough was found). */
export const AnswerSource = z.enum(['curated', 'document', 'model', 'none']);
export type AnswerSource = z.infer<typeof AnswerSource>;

/** How far the desk could answer: not at all (*nothing*), or with passages that may help but are no direct answer (*related*). */
export const Outcome = z.enum(['answered', 'related', 'nothing']);
export type Outcome = z.infer<typeof Outcome>;

/**
 * A part of a model's answer without support, as a range of UTF-16 units: a citation of a passage that does not support its sentence
 * (not to be shown), the text of a sentence that has only such citations, or a number that no cited passage contains.
 */
export const Doubt = z.object({
  kind: z.enum(['citation', 'sentence', 'number']),
  start: z.number(),
  end: z.number(),
});
export type Doubt = z.infer<typeof Doubt>;

/** How an answer was judged. A *related* or *nothing* answer has the source `none`; a *related* one cites what may help. */
export const Judgement = z.object({
  outcome: Outcome,
  /** Parts of the question, in the asker's words, that the cited documents do not support; missing if there are none. Not part of the answer's text. */
  unsupported: z.array(z.string()).exactOptional(),
  /** The question together with the earlier questions that it refers to; missing if it was understood by itself. */
  understoodAs: z.string().exactOptional(),
  /** In the order of their ends; missing if there are none. */
  doubts: z.array(Doubt).exactOptional(),
});
export type Judgement = z.infer<typeof Judgement>;

/** Who answered a question: a person who replied to it, otherwise the source of the desk's answer. */
export const AnsweredBy = z.union([AnswerSource, z.literal('person')]);
export type AnsweredBy = z.infer<typeof AnsweredBy>;

/**
 * A source quoted for an answer. `start` and `end` are UTF-16 positions in the document's extracted text,
 * with `text.slice(start, end) === quote`. `[n]` in an answer refers to `citations[n - 1]`. `href` is
 * `/api/passages/:id`.
 */
export const Citation = z.object({
  title: z.string(),
  quote: z.string(),
  start: z.number(),
  end: z.number(),
  href: z.string(),
  /** Whether it quotes a file of the asker, not the shared knowledge base; missing in records of earlier versions. */
  isPrivate: z.boolean().exactOptional(),
  /** Heading path of the quote, for display; missing above the first heading. */
  place: z.string().exactOptional(),
  /** Where the quote starts in the file; missing if unknown. */
  at: SourcePlace.exactOptional(),
  /** The rest of its section, as Markdown that screens show on request; missing if everything is in the answer. */
  restOfSection: z.string().exactOptional(),
  /** The columns of its table row that are not in the answer, with their names; missing if all are. */
  restOfRow: z.string().exactOptional(),
  /** Set if the reader may no longer read its document: then `title` says so, and the other texts are empty. */
  isWithdrawn: z.literal(true).exactOptional(),
});
export type Citation = z.infer<typeof Citation>;

/**
 * GET /api/passages/:id. `start` and `end` are the position of `text` in its document; `place` is its heading
 * path, for display; `columns` is the header row if `text` starts inside a table, otherwise missing.
 */
export const Passage = z.object({
  documentId: z.string(),
  title: z.string(),
  text: z.string(),
  start: z.number(),
  end: z.number(),
  place: z.string(),
  columns: z.string().exactOptional(),
  /** Where its start is found in the file; missing if unknown. */
  at: SourcePlace.exactOptional(),
});
export type Passage = z.infer<typeof Passage>;

/**
 * GET /api/records/:id/why: the explanation of an answer. Parts are `null` if that stage was not reached: a
 * curated answer needs no passages.
 */
export const AnswerReason = z.object({
  verdict: z.enum(['curated', 'answered', 'weak', 'nothing']),
  /** The question as it was searched, if it was completed from the conversation. */
  rewritten: z.string().nullable(),
  /**
   * Earlier questions of the conversation that were searched together with this one, oldest first; missing in
   * older records.
   */
  context: z.array(z.string()).exactOptional(),
  /** The matching curated question, and its similarity (1 is identical). */
  pair: z.object({ question: z.string(), similarity: z.number() }).nullable(),
  /** The search terms of the question; `passages` is the number of passages with the term, of `total`. */
  terms: z.array(z.object({ word: z.string(), weight: z.number(), passages: z.number() })),
  total: z.number(),
  /** Number of candidate passages. */
  candidates: z.number(),
  /** The best candidates, best first, at most 10. */
  ranked: z.array(
    z.object({
      href: z.string(),
      title: z.string(),
      place: z.string(),
      /** The collection of its document; missing for the first one. */
      collectionId: z.string().exactOptional(),
      score: z.number(),
      /** Fraction of the question's content that the passage covers, 0–1. */
      coverage: z.number(),
      missing: z.array(z.string()),
      /** Whether the answer cites it. */
      taken: z.boolean(),
    }),
  ),
  /** The cited documents, and the files of the question, of which something could not be read; missing if none. */
  incomplete: z.array(IncompleteSource).exactOptional(),
});
export type AnswerReason = z.infer<typeof AnswerReason>;

/** GET /api/starters: at most three example questions in the caller's language; may be empty. */
export const StarterList = z.object({ starters: z.array(z.string()) });
export type StarterList = z.infer<typeof StarterList>;
