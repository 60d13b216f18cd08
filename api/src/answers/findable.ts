import { type Connection, type Model, Schema } from 'mongoose';
import type { Language } from '../contract/language.ts';

/** What a passage is found and ranked by; its words are in `KnowledgePassage` of the same id. Kept apart so that little is read of many. */
export interface FindablePassage {
  _id: string;
  /** '' is shared by everyone, else the only one whose questions may find it. */
  owner: string;
  documentId: string;
  /** The edition of the handbook that it belongs to, '' for others. */
  edition: string;
  language: Language;
  /** Number of terms in the body, duplicates included. */
  length: number;
  /** What each term weighs, see `packTerms`. */
  weights: Buffer;
  /** What it is looked up by, see `passageTerms`. */
  terms: string[];
  /** What the passage means, see `packVector`; missing without embeddings, or as long as it is not computed. */
  vector?: Buffer;
  /** Which embeddings made the vector: `EmbeddingState.key`. */
  vectorOf?: string;
  /** Grows with each batch of vectors that is written: what a process has not read yet has a larger one. */
  vectorSeq?: number;
  /** true: its vector is still to be computed; false: it has been; missing: nobody asked for one. */
  vectorDue?: boolean;
}

/** What ranking needs of a passage; its text is read for the few that win. */
export type Candidate = Omit<FindablePassage, 'terms'>;

const schema = new Schema<FindablePassage>(
  {
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
  },
  { collection: 'findable_passages', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ owner: 1, terms: 1 });
schema.index({ documentId: 1, _id: 1 });
schema.index({ edition: 1 });
schema.index({ vectorDue: 1, _id: 1 }, { partialFilterExpression: { vectorDue: true } });
schema.index({ vectorOf: 1, vectorSeq: 1 }, { partialFilterExpression: { vectorDue: false } });

export type FindableModel = Model<FindablePassage>;

export function createFindableModel(connection: Connection): FindableModel {
  return connection.model<FindablePassage>('FindablePassage', schema);
}
