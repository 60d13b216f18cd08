import { type Connection, type Model, Schema } from 'mongoose';
import type { Language } from '../contract/language.ts';

/**
 * A stretch of a document that can be cited: `documentText.slice(start, end) === text`. It is found by the `FindablePassage` of the
 * same id; without one it was superseded: still readable where it was cited, never found.
 */
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
    edition: { type: String, default: '' },
  },
  { collection: 'passages', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ documentId: 1, start: 1 });
schema.index({ edition: 1 });
// Adoptions and deletions of all that an owner has.
schema.index({ owner: 1 });

export type PassageModel = Model<KnowledgePassage>;

export function createPassageModel(connection: Connection): PassageModel {
  return connection.model<KnowledgePassage>('Passage', schema);
}
