import { type Connection, type Model, Schema } from 'mongoose';
import type { FileKind } from '../contract/files.ts';
import type { Language } from '../contract/language.ts';
import { type Lease, leaseSchema } from '../store/lease.ts';

/** A document that the desk answers from. Its passages carry its id. */
export interface KnowledgeDocument {
  /** Told by the content for the handbook, random for what people add. */
  _id: string;
  /** '' is shared by everyone, else the owner of a private file. */
  owner: string;
  source: 'handbook' | 'upload';
  /** What the file turned out to be; pages of the handbook are Markdown. */
  type: FileKind;
  /** Bytes of the file, 0 without one. */
  size: number;
  /** Content hash of the file, see `Blobs`; '' without one. */
  blob: string;
  pages: number;
  title: string;
  language: Language;
  /** The edition of the handbook that it belongs to, '' for others. */
  edition: string;
  status: 'indexing' | 'ready' | 'failed';
  /**
   * The extracted text; offsets of passages and citations count its UTF-16 units. Of shared uploads it is a `DocumentText` of the same id,
   * and '' here.
   */
  text: string;
  passages: number;
  /** 0–1 while indexing. */
  progress: number;
  /** How often an answer has cited it. */
  cited: number;
  /** Key of the message that says why it failed, '' otherwise. */
  failure: string;
  /** A private one whose record is erased: no question is answered from it. */
  hidden?: boolean;
  /** The process that indexes it; null when none does. */
  lease: Lease | null;
  /** What its file was called, '' without one; missing in pages of the handbook. */
  name?: string;
  /** The title was given with the file: what the file says of itself does not change it. */
  isTitled?: boolean;
  /** Unique to file and given title among what is shared: the same file again is this document. */
  identity?: string;
  /** The decision to delete it: nobody sees it any more, and its passages go. */
  deletedAt?: Date | null;
  /** Counts what was asked of it: indexing that began before ends without a word. */
  revision?: number;
  createdAt: Date;
  updatedAt: Date;
}

const schema = new Schema<KnowledgeDocument>(
  {
    _id: { type: String, required: true },
    owner: { type: String, default: '' },
    source: { type: String, required: true },
    type: { type: String, default: 'markdown' },
    size: { type: Number, default: 0 },
    blob: { type: String, default: '' },
    pages: { type: Number, default: 0 },
    title: { type: String, required: true },
    language: { type: String, required: true },
    edition: { type: String, default: '' },
    status: { type: String, required: true },
    text: { type: String, default: '' },
    passages: { type: Number, default: 0 },
    progress: { type: Number, default: 1 },
    cited: { type: Number, default: 0 },
    failure: { type: String, default: '' },
    hidden: { type: Boolean, default: false },
    lease: { type: leaseSchema, default: null },
    name: { type: String },
    isTitled: { type: Boolean },
    identity: { type: String },
    deletedAt: { type: Date },
    revision: { type: Number },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, default: () => new Date() },
  },
  { collection: 'documents', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ source: 1, edition: 1 });
schema.index({ owner: 1, createdAt: -1, _id: -1 });
schema.index({ owner: 1, source: 1, createdAt: -1, _id: -1 });
schema.index({ owner: 1, source: 1, status: 1, updatedAt: 1, _id: 1 });
schema.index({ identity: 1 }, { unique: true, partialFilterExpression: { identity: { $exists: true } } });

export type DocumentModel = Model<KnowledgeDocument>;

export function createDocumentModel(connection: Connection): DocumentModel {
  return connection.model<KnowledgeDocument>('Document', schema);
}

/**
 * What was read in a shared document that somebody added; offsets of its passages and citations count its UTF-16 units. Apart from the document
 * itself, so that a list of them reads a line each and no book.
 */
export interface DocumentText {
  /** The document's. */
  _id: string;
  text: string;
}

const textSchema = new Schema<DocumentText>(
  { _id: { type: String, required: true }, text: { type: String, required: true } },
  { collection: 'document_texts', versionKey: false, autoIndex: false, autoCreate: false },
);

export type DocumentTextModel = Model<DocumentText>;

export function createDocumentTextModel(connection: Connection): DocumentTextModel {
  return connection.model<DocumentText>('DocumentText', textSchema);
}
