import { Schema } from 'mongoose';
import type { FileKind } from '../../contract/files.ts';
import type { Language } from '../../contract/language.ts';
import type { ReadingNotice, SourcePlace } from '../../contract/sources.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, defaultsOf, field, optional, required, withDefault } from '../../store/fields.ts';

/** Start of a page, slide, sheet or table in the text, in UTF-16 units. */
export type Place = { start: number } & SourcePlace;

const fields = {
  /** Derived from the content for the handbook, random for uploads. */
  _id: required(String),
  /** '' (first collection), `collection:<id>`, `draft:<id>`, or the owner of a private file. */
  owner: withDefault(''),
  source: required<'handbook' | 'upload'>(String),
  /** Detected type of the file; pages of the handbook are Markdown. */
  type: withDefault<FileKind>('markdown'),
  /** Bytes of the file, 0 without one. */
  size: withDefault(0),
  /** Content hash of the file, see `Blobs`; '' without one. */
  blob: withDefault(''),
  pages: withDefault(0),
  title: required(String),
  language: required<Language>(String),
  /** Edition of the handbook; '' for other documents. */
  edition: withDefault(''),
  status: required<'indexing' | 'ready' | 'failed'>(String),
  /** The extracted text. '' for shared uploads, whose text is the `DocumentText` with the same id. */
  text: withDefault(''),
  /** Where pages, slides, sheets and tables start in `text`; [] for shared uploads, see `DocumentText`. */
  places: optional<Place[]>([Schema.Types.Mixed]),
  passages: withDefault(0),
  /** 0–1 while indexing. */
  progress: withDefault(1),
  /** Number of answers that cited it. */
  cited: withDefault(0),
  /** Key of the error message if indexing failed, else ''. */
  failure: withDefault(''),
  /** What could not be read of its file; missing or [] for nothing. */
  notices: optional<ReadingNotice[]>([Schema.Types.Mixed]),
  /** Whether the record of this private document is being deleted, so that it answers no question. */
  hidden: withDefault(false),
  /** Name of the file, '' without one; missing in pages of the handbook. */
  name: optional(String),
  /** Whether the title was given at upload, so that the title in the file does not replace it. */
  isTitled: optional(Boolean),
  /** Key of the file and its given title: uploading the same file again updates a shared document. */
  identity: optional(String),
  /** true for an upload that is not published: only trial questions find it. Missing otherwise. */
  isDraft: optional(Boolean),
  /** The owner that a draft gets when it is published; default ''. */
  draftFor: optional(String),
  /** Time of the request to delete it: it is not listed any more, and its passages are being removed. */
  deletedAt: optional<Date | null>(Date),
  /** Incremented by each request to index it. Indexing for an earlier revision has no effect. */
  revision: optional(Number),
  createdAt: required(Date),
  updatedAt: field<Date>({ type: Date, default: databaseDate }),
};

/** A document that questions are answered from. */
export type KnowledgeDocument = DocumentOf<typeof fields>;
export const documentDefaults = () => defaultsOf(fields);

export const documentModel = defineModel<KnowledgeDocument>('Document', 'documents', fields);
documentModel.schema.index({ source: 1, edition: 1 });
documentModel.schema.index({ owner: 1, cited: -1 });
documentModel.schema.index({ owner: 1, createdAt: -1, _id: -1 });
documentModel.schema.index({ owner: 1, source: 1, createdAt: -1, _id: -1 });
documentModel.schema.index({ owner: 1, source: 1, status: 1, updatedAt: 1, _id: 1 });
documentModel.schema.index(
  { identity: 1 },
  { unique: true, partialFilterExpression: { identity: { $exists: true } } },
);

documentModel.schema.index(
  { isDraft: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { isDraft: true } },
);

/** The owner of a draft and its passages, which no visitor has. */
export const draftOwner = (id: string) => `draft:${id}`;

const ofCollection = 'collection:';

/** The range of owners of collections, in the order of strings. */
export const collectionOwners = { $gte: ofCollection, $lt: 'collection;' } as const;

/** The owner of the documents, passages and pairs of a collection; '' is that of the first one. */
export const collectionOwner = (id: string) => `${ofCollection}${id}` as const;
export type CollectionOwner = ReturnType<typeof collectionOwner>;

/** The id of a collection by its owner; null for the first one and for any other owner. */
export const collectionOf = (owner: string): string | null =>
  owner.startsWith(ofCollection) ? owner.slice(ofCollection.length) : null;

/** Whether an owner's documents are shared: those of a collection are, private files and drafts are not. */
export const isShared = (owner: string): boolean => owner === '' || collectionOf(owner) !== null;

const textFields = {
  /** Id of the document. */
  _id: required(String),
  text: required(String),
  /** Missing in documents of earlier versions. */
  places: optional<Place[]>([Schema.Types.Mixed]),
};

/** The extracted text of a shared upload. Separate, so that lists of documents do not read the texts. */
export const documentTextModel = defineModel<DocumentOf<typeof textFields>>(
  'DocumentText',
  'document_texts',
  textFields,
);
