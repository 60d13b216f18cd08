import type { Language } from '../../contract/language.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, list, optional, required, withDefault } from '../../store/fields.ts';

const fields = {
  _id: required(String),
  /** As of its document: only questions of those who may read it find it. */
  owner: withDefault(''),
  documentId: required(String),
  /** Edition of the handbook; '' for other documents. */
  edition: withDefault(''),
  language: required<Language>(String),
  /** Number of terms in the body, with duplicates. */
  length: withDefault(0),
  /** Terms for ranking, see `packTerms`. */
  weights: required(Buffer),
  /** Keys for look-ups, see `passageTerms`. */
  terms: list(String),
  /** Embedding, see `packVector`; missing until it is computed. */
  vector: optional(Buffer),
  /** `EmbeddingState.key` of the vector. */
  vectorOf: optional(String),
  /** Increases with each batch of vectors: a process reads those with a larger one than it has seen. */
  vectorSeq: optional(Number),
  /** true: the vector is still to be computed; false: it is computed; missing: not requested. */
  vectorDue: optional(Boolean),
};

/** The index entry of a passage; its text is the `KnowledgePassage` with the same id. Separate, as many are read per question. */
export type FindablePassage = DocumentOf<typeof fields>;

/** The fields of a passage for ranking; only the best ones' texts are read. */
export type Candidate = Omit<FindablePassage, 'terms'>;

export const findableModel = defineModel<FindablePassage>('FindablePassage', 'findable_passages', fields);
findableModel.schema.index({ owner: 1, terms: 1 });
findableModel.schema.index({ documentId: 1, _id: 1 });
findableModel.schema.index({ edition: 1 });
findableModel.schema.index({ vectorDue: 1, _id: 1 }, { partialFilterExpression: { vectorDue: true } });
findableModel.schema.index(
  { owner: 1, vectorOf: 1, vectorSeq: 1 },
  { partialFilterExpression: { vectorDue: false } },
);
