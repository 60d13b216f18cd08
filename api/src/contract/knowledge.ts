import { z } from 'zod';
import { AnswerReason, AnswerSource, Citation, Judgement, Outcome, Passage } from './answers.ts';
import { CollectionId, firstCollection } from './collections.ts';
import { nextCursor, PageQuery, trimmedText } from './fields.ts';
import { FileKind } from './files.ts';
import { ReadingNotice } from './sources.ts';
import { SynonymGroups } from './synonyms.ts';

/** Well-formed text that is not blank. */
const textOf = (max: number) =>
  z
    .string()
    .transform((text) => text.toWellFormed().trim())
    .pipe(
      z
        .string()
        .max(max)
        .regex(/[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u),
    )
    .meta({ minLength: 1, maxLength: max });
export const KnowledgeQuestion = textOf(8000);
export const KnowledgeAnswer = textOf(20_000);
/** Maximum number of other phrasings of a pair. */
export const maxVariants = 50;
export const KnowledgeVariants = z.array(KnowledgeQuestion).max(maxVariants);

/** Query of the lists of documents and pairs: of all collections, or of `collection`. */
export const KnowledgeQuery = PageQuery.extend({
  q: z.string().max(200).default(''),
  collection: CollectionId.optional(),
});

/**
 * GET /api/knowledge: size of the knowledge base including the handbook, and whether the caller may change
 * it.
 */
export const KnowledgeSummary = z.object({
  isEditor: z.boolean(),
  /** Whether guests get answers from it; false if REQUIRE_SIGN_IN is set. */
  guestsAsk: z.boolean(),
  documents: z.number(),
  passages: z.number(),
  pairs: z.number(),
  /** Number of groups in the unanswered inbox that the caller may answer; null if it may not change any collection. */
  unanswered: z.number().nullable(),
  /** Number of embedded passages; missing without embeddings. */
  embedded: z.object({ done: z.number(), total: z.number() }).exactOptional(),
});
export type KnowledgeSummary = z.infer<typeof KnowledgeSummary>;

/** A document of the knowledge base. */
export const KnowledgeDocumentInfo = z.object({
  id: z.string(),
  /** Its collection; missing for the first one. */
  collectionId: z.string().exactOptional(),
  /** From the file's metadata or the upload; otherwise the file's name. */
  title: z.string(),
  /** Name of the uploaded file; '' without a file. */
  name: z.string(),
  type: FileKind,
  /** Size of the file in bytes; 0 for a page of the handbook. */
  size: z.number(),
  pages: z.number(),
  status: z.enum(['indexing', 'ready', 'failed']),
  /** 0–1 while indexing; 1 when ready. */
  progress: z.number(),
  passages: z.number(),
  /** Number of answers that have cited it. */
  cited: z.number(),
  /** Why it failed, in the caller's language; otherwise null. */
  error: z.string().nullable(),
  /** What could not be read of it; missing if everything was. */
  notices: z.array(ReadingNotice).exactOptional(),
  /** The handbook is part of the product: it cannot be deleted or re-indexed. */
  isHandbook: z.boolean(),
  /** Set for a draft: only editors see it, and answers do not use it before POST …/publish. */
  isDraft: z.boolean().exactOptional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type KnowledgeDocumentInfo = z.infer<typeof KnowledgeDocumentInfo>;

/**
 * POST /api/knowledge/documents/search and /api/knowledge/pairs/search: the documents or pairs that contain `q`. Not a
 * GET, because proxies log queries, and a question may contain confidential text.
 */
export const KnowledgeSearch = z.strictObject({
  q: z.string().max(200),
  collection: CollectionId.exactOptional(),
  cursor: z.string().min(1).max(500).exactOptional(),
  limit: z.int().min(1).max(100).default(20),
});
export type KnowledgeSearch = z.input<typeof KnowledgeSearch>;

/**
 * GET /api/knowledge/documents `?q=&cursor=&limit=`: uploads newest first, then the handbook page by page, in
 * the caller's language first. `q` is a part of the title or the name. `total` and `passages` count all of
 * them.
 */
export const KnowledgeDocumentPage = z.object({
  documents: z.array(KnowledgeDocumentInfo),
  total: z.number(),
  passages: z.number(),
  nextCursor,
});
export type KnowledgeDocumentPage = z.infer<typeof KnowledgeDocumentPage>;

/** Maximum length of a document's title, in UTF-16 units. */
export const maxTitleLength = 200;

/**
 * PATCH /api/knowledge/documents/:id: a new title of 1–200 units, or another collection; the document is indexed again. It is not moved while it is being
 * indexed (409).
 */
export const DocumentChange = z.object({
  title: z.string().min(1).max(maxTitleLength).exactOptional(),
  collectionId: CollectionId.exactOptional(),
});
export type DocumentChange = z.input<typeof DocumentChange>;

/** GET /api/knowledge/documents/:id/passages, in document order. `id` is that of GET /api/passages/:id. */
export const KnowledgePassagePage = z.object({
  passages: z.array(Passage.extend({ id: z.string() })),
  nextCursor,
});
export type KnowledgePassagePage = z.infer<typeof KnowledgePassagePage>;

/** The response of the calls about one document. */
export const KnowledgeDocumentReply = z.object({ document: KnowledgeDocumentInfo });
export type KnowledgeDocumentReply = z.infer<typeof KnowledgeDocumentReply>;

/** A curated question with its answer. */
export const KnowledgePair = z.object({
  id: z.string(),
  /** Its collection; missing for the first one. */
  collectionId: z.string().exactOptional(),
  question: z.string(),
  /** Other phrasings. */
  variants: z.array(z.string()),
  answer: z.string(),
  /** Number of answers given with it. */
  hits: z.number(),
  isHandbook: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type KnowledgePair = z.infer<typeof KnowledgePair>;

/** The response of the calls about one pair. */
export const KnowledgePairReply = z.object({ pair: KnowledgePair });
export type KnowledgePairReply = z.infer<typeof KnowledgePairReply>;

/**
 * POST and PUT of a pair: `question` and each of at most 50 `variants` have 1–8,000 units, `answer` 1–20,000.
 * A PUT with the `updatedAt` that was read gets 409 if the pair has been changed since.
 */
export const KnowledgePairRequest = z.object({
  question: KnowledgeQuestion,
  variants: KnowledgeVariants.default([]),
  answer: KnowledgeAnswer,
  updatedAt: z.iso.datetime().exactOptional(),
});
export type KnowledgePairRequest = z.input<typeof KnowledgePairRequest>;

/** POST /api/knowledge/pairs; a pair stays in its collection. */
export const NewKnowledgePair = KnowledgePairRequest.omit({ updatedAt: true }).extend({
  collectionId: CollectionId.exactOptional(),
});
export type NewKnowledgePair = z.input<typeof NewKnowledgePair>;

/**
 * GET /api/knowledge/pairs `?q=&cursor=&limit=`: editors' pairs newest first, then the handbook's, in the
 * caller's language first.
 */
export const KnowledgePairPage = z.object({ pairs: z.array(KnowledgePair), total: z.number(), nextCursor });
export type KnowledgePairPage = z.infer<typeof KnowledgePairPage>;

/** A group of similar questions without a good answer, by people who may read the same collections. Never reveals who asked. */
export const UnansweredQuestion = z.object({
  id: z.string(),
  /** The latest phrasing. */
  question: z.string(),
  /** Up to 5 other phrasings. */
  alike: z.array(z.string()),
  count: z.number(),
  /** How often nothing was found. */
  notFound: z.number(),
  /** How often an answer was found and rated as not helpful. Never reveals who rated it, nor the note. */
  notHelpful: z.number(),
  lastAskedAt: z.string(),
  /** Ids of the collections that its askers read and the caller may change, the narrower ones first: its answer can be added to these. */
  collections: z.array(z.string()),
});
export type UnansweredQuestion = z.infer<typeof UnansweredQuestion>;

/** Why a question is in the inbox. */
export const UnansweredReason = z.enum(['not_found', 'not_helpful']);
export type UnansweredReason = z.infer<typeof UnansweredReason>;

/** POST /api/knowledge/unanswered/:id/answer → 201 `KnowledgePairReply`; `collectionId` is one of the question's `collections`, by default the first collection of the desk. */
export const UnansweredAnswer = NewKnowledgePair.omit({ question: true });
export type UnansweredAnswer = z.input<typeof UnansweredAnswer>;

export const UnansweredQuery = PageQuery.extend({
  reason: UnansweredReason.optional(),
  answerable: z.literal('1').optional(),
});

/**
 * GET /api/knowledge/unanswered `?reason=&answerable=&cursor=&limit=`: most frequent first. `total` counts those with the reason. `answerable=1` lists
 * those instead that were found to have an answer when POST …/unanswered/ask-again asked them again; POST …/unanswered/:id/reopen puts one back.
 */
export const UnansweredPage = z.object({
  questions: z.array(UnansweredQuestion),
  total: z.number(),
  /** Number of groups that wait for being asked again, and of those with an answer now; both missing if 0. */
  askingAgain: z.number().exactOptional(),
  answerable: z.number().exactOptional(),
  nextCursor,
});
export type UnansweredPage = z.infer<typeof UnansweredPage>;

/** POST /api/knowledge/unanswered/ask-again → 202: the number of groups that are asked again. */
export const AskedAgain = z.object({ count: z.number() });
export type AskedAgain = z.infer<typeof AskedAgain>;

const EntryId = z.string().min(1).max(100);

/** The change whose effect POST /api/knowledge/check determines: one of these. */
export const KnowledgeChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('put_pair'), id: EntryId.exactOptional(), pair: NewKnowledgePair }),
  z.object({ kind: z.literal('delete_pair'), id: EntryId }),
  z.object({ kind: z.literal('delete_document'), id: EntryId }),
  z.object({ kind: z.literal('publish_document'), id: EntryId }),
  z.object({ kind: z.literal('put_synonyms'), groups: SynonymGroups }),
]);
export type KnowledgeChange = z.input<typeof KnowledgeChange>;

/** A curated question that would be answered differently. */
export const ChangedAnswer = z.object({
  question: z.string(),
  before: z.object({ source: AnswerSource, answer: z.string() }),
  after: z.object({ source: AnswerSource, answer: z.string() }),
});
export type ChangedAnswer = z.infer<typeof ChangedAnswer>;

/** How a question was answered, and by what. */
const AskedResult = z.object({
  outcome: Outcome,
  /** Titles of the cited documents, or the question of the curated pair that answered. */
  cited: z.array(z.string()),
});

/** How a golden question was answered. */
export const GoldenResult = AskedResult.extend({
  /** Whether it is as expected. */
  passes: z.boolean(),
});
export type GoldenResult = z.infer<typeof GoldenResult>;

/** A question that would have another outcome or first citation. */
const ChangedQuestion = z.object({ question: z.string(), before: AskedResult, after: AskedResult });

/** A golden question that would have another outcome or first citation. */
export const ChangedGolden = z.object({ question: z.string(), before: GoldenResult, after: GoldenResult });
export type ChangedGolden = z.infer<typeof ChangedGolden>;

/**
 * `checked` is the number of curated questions (variants included) that were checked; `isPartial` if the time
 * limit was reached before all were.
 */
export const KnowledgeCheck = z.object({
  checked: z.number(),
  isPartial: z.boolean(),
  changed: z.array(ChangedAnswer),
  /** Golden questions, worse ones first; `goldenChecked` is how many were asked. */
  golden: z.array(ChangedGolden),
  goldenChecked: z.number(),
  /** Frequent unanswered questions that would have another outcome or first citation; only for synonyms. */
  unanswered: z.array(ChangedQuestion).exactOptional(),
});
export type KnowledgeCheck = z.infer<typeof KnowledgeCheck>;

/**
 * POST /api/knowledge/try: a question to try out, 1–8,000 characters after trimming; with the draft `draftId` as if it were published. `as` is a
 * group, to ask with the rights of its members, or `guest`; missing: with the caller's own rights. The answer never uses more than the caller may
 * read.
 */
export const TrialQuestion = z.object({
  text: trimmedText(8000, 1),
  draftId: EntryId.exactOptional(),
  as: z.union([z.literal('guest'), z.string().regex(/^[0-9a-f]{24}$/)]).exactOptional(),
});
export type TrialQuestion = z.input<typeof TrialQuestion>;

/** Its answer as the knowledge base gives it, without a model. Nothing is stored or counted. */
export const TriedQuestion = Judgement.extend({
  answer: z.string(),
  source: AnswerSource,
  citations: z.array(Citation),
  /** How it was found; null if unknown. */
  why: AnswerReason.nullable(),
});
export type TriedQuestion = z.infer<typeof TriedQuestion>;

/** GET /api/knowledge/export and POST …/import: of which collection; default the first one. */
export const ArchiveQuery = z.object({ collection: CollectionId.default(firstCollection) });

/**
 * GET /api/knowledge/export, and the body of POST …/import; the handbook is excluded. Documents are included
 * as their extracted text.
 */
export const KnowledgeArchive = z.object({
  format: z.literal('consultation-desk-knowledge'),
  version: z.literal(1),
  exportedAt: z.string(),
  documents: z.array(
    z.object({ id: z.string(), title: z.string(), type: FileKind, text: z.string(), createdAt: z.string() }),
  ),
  pairs: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      variants: z.array(z.string()),
      answer: z.string(),
      createdAt: z.string(),
    }),
  ),
});
export type KnowledgeArchive = z.infer<typeof KnowledgeArchive>;

/** Result of importing knowledge. */
export const KnowledgeImportReply = z.object({
  documents: z.number(),
  pairs: z.number(),
  unchanged: z.number(),
});
export type KnowledgeImportReply = z.infer<typeof KnowledgeImportReply>;
