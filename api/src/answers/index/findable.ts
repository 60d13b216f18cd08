import type { Language } from '../../contract/language.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, list, optional, required, withDefault } from '../../store/fields.ts';

const fields = {
  _id: required(String),
  /** The owner of its document. Only questions of those who may read it find it. */
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
  /** The `EmbeddingState.key` with which the vector was computed. */
  vectorOf: optional(String),
  /** Number of the batch of the vector. A process loads those with a larger number than it has loaded. */
  vectorSeq: optional(Number),
  /** true until the vector is computed, then false; missing if it is not requested. */
  vectorDue: optional(Boolean),
};

/**
 * The index entry of a passage. Its text is the `KnowledgePassage` with the same id, as hundreds of entries
 * are read per question and few texts.
 */
export type FindablePassage = DocumentOf<typeof fields>;

/** The fields of an index entry that ranking reads. */
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
