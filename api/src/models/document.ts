import { type Connection, type Model, Schema } from 'mongoose';
import type { Language } from '../contract.ts';

/** A document that the desk answers from. Its passages carry its id. */
export interface KnowledgeDocument {
  /** Told by the content for the handbook, random for what people add. */
  _id: string;
  /** '' is shared by everyone, else the owner of a private file. */
  owner: string;
  source: 'handbook' | 'upload';
  title: string;
  language: Language;
  /** The edition of the handbook that it belongs to, '' for others. */
  edition: string;
  status: 'indexing' | 'ready' | 'failed';
  /** The extracted text; offsets of passages and citations count its UTF-16 units. */
  text: string;
  passages: number;
  createdAt: Date;
}

const schema = new Schema<KnowledgeDocument>(
  {
    _id: { type: String, required: true },
    owner: { type: String, default: '' },
    source: { type: String, required: true },
    title: { type: String, required: true },
    language: { type: String, required: true },
    edition: { type: String, default: '' },
    status: { type: String, required: true },
    text: { type: String, default: '' },
    passages: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'documents', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ source: 1, edition: 1 });
schema.index({ owner: 1, createdAt: -1, _id: -1 });

export type DocumentModel = Model<KnowledgeDocument>;

export function createDocumentModel(connection: Connection): DocumentModel {
  return connection.model<KnowledgeDocument>('Document', schema);
}
