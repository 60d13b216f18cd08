import type { Model } from 'mongoose';
import type { Language } from '../../contract/language.ts';
import { defineModel } from '../../store/define-model.ts';

/** The index entry of a passage; its text is the `KnowledgePassage` with the same id. Separate, as many are read per question. */
export interface FindablePassage {
  _id: string;
  /** As of its document: only questions of those who may read it find it. */
  owner: string;
  documentId: string;
  /** Edition of the handbook; '' for other documents. */
  edition: string;
  language: Language;
  /** Number of terms in the body, with duplicates. */
  length: number;
  /** Terms for ranking, see `packTerms`. */
  weights: Buffer;
  /** Keys for look-ups, see `passageTerms`. */
  terms: string[];
  /** Embedding, see `packVector`; missing until it is computed. */
  vector?: Buffer;
  /** `EmbeddingState.key` of the vector. */
  vectorOf?: string;
  /** Increases with each batch of vectors: a process reads those with a larger one than it has seen. */
  vectorSeq?: number;
  /** true: the vector is still to be computed; false: it is computed; missing: not requested. */
  vectorDue?: boolean;
}

/** The fields of a passage for ranking; only the best ones' texts are read. */
export type Candidate = Omit<FindablePassage, 'terms'>;

const { schema, create } = defineModel<FindablePassage>('FindablePassage', 'findable_passages', {
  _id: { type: String, required: true },
  owner: { type: String, default: '' },
  documentId: { type: String, required: true },
  edition: { type: String, default: '' },
  language: { type: String, required: true },
  length: { type: Number, default: 0 },
  weights: { type: Buffer, required: true },
  terms: { type: [String], default: [] },
  vector: { type: Buffer },
  vectorOf: { type: String },
  vectorSeq: { type: Number },
  vectorDue: { type: Boolean },
});
schema.index({ owner: 1, terms: 1 });
schema.index({ documentId: 1, _id: 1 });
schema.index({ edition: 1 });
schema.index({ vectorDue: 1, _id: 1 }, { partialFilterExpression: { vectorDue: true } });
schema.index({ owner: 1, vectorOf: 1, vectorSeq: 1 }, { partialFilterExpression: { vectorDue: false } });

export type FindableModel = Model<FindablePassage>;
export const createFindableModel = create;
