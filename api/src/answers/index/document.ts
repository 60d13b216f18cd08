import { type Model, Schema } from 'mongoose';
import type { FileKind } from '../../contract/files.ts';
import type { Language } from '../../contract/language.ts';
import type { ReadingNotice, SourcePlace } from '../../contract/sources.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { defineModel } from '../../store/define-model.ts';

/** Start of a page, slide, sheet or table in the text, in UTF-16 units. */
export type Place = { start: number } & SourcePlace;

/** A document that questions are answered from. */
export interface KnowledgeDocument {
  /** Derived from the content for the handbook, random for uploads. */
  _id: string;
  /** '' in the first collection, `collection:<id>` in another one, `draft:<id>` for a draft, else the owner of the private file. */
  owner: string;
  source: 'handbook' | 'upload';
  /** Detected type of the file; pages of the handbook are Markdown. */
  type: FileKind;
  /** Bytes of the file, 0 without one. */
  size: number;
  /** Content hash of the file, see `Blobs`; '' without one. */
  blob: string;
  pages: number;
  title: string;
  language: Language;
  /** Edition of the handbook; '' for other documents. */
  edition: string;
  status: 'indexing' | 'ready' | 'failed';
  /**
   * The extracted text; offsets of passages and citations are its UTF-16 units. '' for shared uploads, whose text is the `DocumentText` with the
   * same id.
   */
  text: string;
  /** Where pages, slides, sheets and tables start in `text`; [] for shared uploads, as for `text`. */
  places?: Place[];
  passages: number;
  /** 0–1 while indexing. */
  progress: number;
  /** Number of answers that cite it. */
  cited: number;
  /** Key of the error message if indexing failed, else ''. */
  failure: string;
  /** What could not be read of its file; missing or [] if everything was. */
  notices?: ReadingNotice[];
  /** The record of this private document is being erased: it answers no question. */
  hidden?: boolean;
  /** Name of the file, '' without one; missing in pages of the handbook. */
  name?: string;
  /** The title was given at upload: the title within the file does not replace it. */
  isTitled?: boolean;
  /** Unique among shared documents for a file and its given title: uploading the same file again updates this document. */
  identity?: string;
  /** An upload of editors that is no knowledge yet: only questions that are tried with it see it. Missing otherwise. */
  isDraft?: boolean;
  /** The owner that a draft gets when it is published; missing: ''. */
  draftFor?: string;
  /** Time of the decision to delete it: it is not listed any more, and its passages are being removed. */
  deletedAt?: Date | null;
  /** Incremented by each request for it: indexing for an earlier revision ends without an effect. */
  revision?: number;
  createdAt: Date;
  updatedAt: Date;
}

const { schema, create } = defineModel<KnowledgeDocument>('Document', 'documents', {
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
  places: { type: [Schema.Types.Mixed], default: undefined },
  passages: { type: Number, default: 0 },
  progress: { type: Number, default: 1 },
  cited: { type: Number, default: 0 },
  failure: { type: String, default: '' },
  notices: { type: [Schema.Types.Mixed], default: undefined },
  hidden: { type: Boolean, default: false },
  name: { type: String },
  isTitled: { type: Boolean },
  identity: { type: String },
  isDraft: { type: Boolean },
  draftFor: { type: String },
  deletedAt: { type: Date },
  revision: { type: Number },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, default: databaseDate },
});
schema.index({ source: 1, edition: 1 });
schema.index({ owner: 1, cited: -1 });
schema.index({ owner: 1, createdAt: -1, _id: -1 });
schema.index({ owner: 1, source: 1, createdAt: -1, _id: -1 });
schema.index({ owner: 1, source: 1, status: 1, updatedAt: 1, _id: 1 });
schema.index({ identity: 1 }, { unique: true, partialFilterExpression: { identity: { $exists: true } } });

schema.index({ isDraft: 1, createdAt: -1, _id: -1 }, { partialFilterExpression: { isDraft: true } });

/** The owner of a draft and its passages: no visitor has it. */
export const draftOwner = (id: string) => `draft:${id}`;

const ofCollection = 'collection:';

/** Where owners of collections begin and end, in the order of strings. */
export const collectionOwners = { $gte: ofCollection, $lt: 'collection;' } as const;

/** The owner of the documents, passages and pairs of a collection; those of the first one have the owner ''. */
export const collectionOwner = (id: string) => `${ofCollection}${id}` as const;
export type CollectionOwner = ReturnType<typeof collectionOwner>;

/** The id of a collection by its owner; null for the first one and for any other owner. */
export const collectionOf = (owner: string): string | null =>
  owner.startsWith(ofCollection) ? owner.slice(ofCollection.length) : null;

/** Whether it is knowledge of the desk: neither someone's file nor a draft. */
export const isShared = (owner: string): boolean => owner === '' || collectionOf(owner) !== null;

export type DocumentModel = Model<KnowledgeDocument>;
export const createDocumentModel = create;

/**
 * The extracted text of a shared upload; offsets of passages and citations are its UTF-16 units. Separate from the document, so that lists of
 * documents do not read the texts.
 */
export interface DocumentText {
  /** Id of the document. */
  _id: string;
  text: string;
  /** Missing in documents of earlier versions. */
  places?: Place[];
}

export type DocumentTextModel = Model<DocumentText>;
export const { create: createDocumentTextModel } = defineModel<DocumentText>(
  'DocumentText',
  'document_texts',
  {
    _id: { type: String, required: true },
    text: { type: String, required: true },
    places: { type: [Schema.Types.Mixed], default: undefined },
  },
);
