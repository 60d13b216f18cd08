import { type Connection, type Model, Schema } from 'mongoose';

/**
 * What was read in a shared document that somebody added; offsets of its passages and citations count its UTF-16 units. Apart from the document
 * itself, so that a list of them reads a line each and no book.
 */
export interface DocumentText {
  /** The document's. */
  _id: string;
  text: string;
}

const schema = new Schema<DocumentText>(
  { _id: { type: String, required: true }, text: { type: String, required: true } },
  { collection: 'document_texts', versionKey: false, autoIndex: false, autoCreate: false },
);

export type DocumentTextModel = Model<DocumentText>;

export function createDocumentTextModel(connection: Connection): DocumentTextModel {
  return connection.model<DocumentText>('DocumentText', schema);
}
