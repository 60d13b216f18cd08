import { z } from 'zod';
import { CollectionId } from './collections.ts';
import { trimmedText } from './fields.ts';
import { GoldenResult, KnowledgeQuestion } from './knowledge.ts';

/** Maximum number of golden questions of a desk. */
export const maxGoldenQuestions = 200;

/**
 * The expected result of a golden question: `answered`, or `refused` (there must be no answer). `cites` is the title of a document that
 * must be cited, or the question of the curated pair that must answer it; `contains` is a text that the answer must contain. '' means
 * no expectation.
 */
export const GoldenExpectation = z.object({
  outcome: z.enum(['answered', 'refused']),
  cites: trimmedText(8000).default(''),
  contains: trimmedText(500).default(''),
});
export type GoldenExpectation = z.input<typeof GoldenExpectation>;

/** PUT /api/knowledge/golden/:id, and part of POST. 409 `golden_exists` if there is one with the same question. */
export const GoldenRequest = z.object({ question: KnowledgeQuestion, expected: GoldenExpectation });
export type GoldenRequest = z.input<typeof GoldenRequest>;

/** POST /api/knowledge/golden: asked as somebody who reads this collection besides the first one; default the first one. */
export const NewGolden = GoldenRequest.extend({ collectionId: CollectionId.exactOptional() });
export type NewGolden = z.input<typeof NewGolden>;

/** A question with the answer that an editor expects. */
export const GoldenQuestion = z.object({
  id: z.string(),
  /** Missing: the first collection. */
  collectionId: z.string().exactOptional(),
  question: z.string(),
  expected: z.object({ outcome: z.enum(['answered', 'refused']), cites: z.string(), contains: z.string() }),
  /** Of the latest run; null before its first one. */
  result: GoldenResult.nullable(),
  /** Of the run before; null if there is none. */
  before: GoldenResult.nullable(),
});
export type GoldenQuestion = z.infer<typeof GoldenQuestion>;

/** The response of the calls about one golden question. */
export const GoldenReply = z.object({ golden: GoldenQuestion });
export type GoldenReply = z.infer<typeof GoldenReply>;

/**
 * GET /api/knowledge/golden: the golden questions of collections that the caller may change, newest first. They are asked again, without a model, after every change of documents, pairs, settings
 * or models, and by POST …/golden/run → 202.
 */
export const GoldenList = z.object({
  golden: z.array(GoldenQuestion),
  /** Start of the latest run; null before the first one. */
  ranAt: z.string().nullable(),
  /** Whether a run is going on or requested. */
  isRunning: z.boolean(),
});
export type GoldenList = z.infer<typeof GoldenList>;

/**
 * GET /api/knowledge/golden/rated: the caller's own questions whose answers they rated as helpful, newest first, that are no golden questions yet. Contact
 * data is masked.
 */
export const RatedQuestions = z.object({ rated: z.array(GoldenRequest) });
export type RatedQuestions = z.infer<typeof RatedQuestions>;

/**
 * POST /api/knowledge/golden/import: a table with the columns question, cites and contains, and at most 256 KB. `-` as `cites` means that it must not be
 * answered. The first row is left out if its second cell is `cites`. Questions that exist get the new expectation.
 */
export const GoldenImport = z.object({
  csv: z
    .string()
    .min(1)
    .max(256 * 1024),
  collectionId: CollectionId.exactOptional(),
});
export type GoldenImport = z.input<typeof GoldenImport>;

/** `refused` are the numbers of rows that could not be imported, from 1: their question or expectation is missing or too long, or there are too many. */
export const GoldenImportReply = z.object({
  added: z.number(),
  changed: z.number(),
  refused: z.array(z.number()),
});
export type GoldenImportReply = z.infer<typeof GoldenImportReply>;
