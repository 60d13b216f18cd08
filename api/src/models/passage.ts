import { type Connection, type Model, Schema } from 'mongoose';
import type { Language } from '../contract.ts';

/** A stretch of a document that can be found and cited: `documentText.slice(start, end) === text`. */
export interface KnowledgePassage {
  _id: string;
  /** '' is shared by everyone, else the only one who may see it. */
  owner: string;
  documentId: string;
  title: string;
  /** Heading path, for people. */
  place: string;
  /** The heading right above, offered as a question that the desk can answer; '' above the first. */
  heading: string;
  /** The ways to ask for it: the heading and what was written down besides. */
  ways: string[];
  language: Language;
  text: string;
  start: number;
  end: number;
  /** The head row of the table that `text` begins within, else ''. */
  tableHead: string;
  /** What it is found by, each once. Empty when it was superseded: still readable where it was cited, never found. */
  terms: string[];
  /** What each term weighs, see `passageTerms`. */
  weights: string;
  /** Number of terms in the body, duplicates included. */
  length: number;
  /** The edition of the handbook that it belongs to, '' for others. */
  edition: string;
}

const schema = new Schema<KnowledgePassage>(
  {
    _id: { type: String, required: true },
    owner: { type: String, default: '' },
    documentId: { type: String, required: true },
    title: { type: String, required: true },
    place: { type: String, default: '' },
    heading: { type: String, default: '' },
    ways: { type: [String], default: [] },
    language: { type: String, required: true },
    text: { type: String, required: true },
    start: { type: Number, required: true },
    end: { type: Number, required: true },
    tableHead: { type: String, default: '' },
    terms: { type: [String], default: [] },
    weights: { type: String, default: '' },
    length: { type: Number, default: 0 },
    edition: { type: String, default: '' },
  },
  { collection: 'passages', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ owner: 1, terms: 1 });
schema.index({ documentId: 1, start: 1 });
schema.index({ edition: 1 });

export type PassageModel = Model<KnowledgePassage>;

export function createPassageModel(connection: Connection): PassageModel {
  return connection.model<KnowledgePassage>('Passage', schema);
}
