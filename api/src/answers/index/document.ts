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
  /** '' in the first collection, `collection:<id>` in another one, `draft:<id>` for a draft, else the owner of the private file. */
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
  /**
   * The extracted text; offsets of passages and citations are its UTF-16 units. '' for shared uploads, whose text is the `DocumentText` with the
   * same id.
   */
  text: withDefault(''),
  /** Where pages, slides, sheets and tables start in `text`; [] for shared uploads, as for `text`. */
  places: optional<Place[]>([Schema.Types.Mixed]),
  passages: withDefault(0),
  /** 0–1 while indexing. */
  progress: withDefault(1),
  /** Number of answers that cite it. */
  cited: withDefault(0),
  /** Key of the error message if indexing failed, else ''. */
  failure: withDefault(''),
  /** What could not be read of its file; missing or [] if everything was. */
  notices: optional<ReadingNotice[]>([Schema.Types.Mixed]),
  /** The record of this private document is being erased: it answers no question. */
  hidden: withDefault(false),
  /** Name of the file, '' without one; missing in pages of the handbook. */
  name: optional(String),
  /** The title was given at upload: the title within the file does not replace it. */
  isTitled: optional(Boolean),
  /** Unique among shared documents for a file and its given title: uploading the same file again updates this document. */
  identity: optional(String),
  /** An upload of editors that is no knowledge yet: only questions that are tried with it see it. Missing otherwise. */
  isDraft: optional(Boolean),
  /** The owner that a draft gets when it is published; missing: ''. */
  draftFor: optional(String),
  /** Time of the decision to delete it: it is not listed any more, and its passages are being removed. */
  deletedAt: optional<Date | null>(Date),
  /** Incremented by each request for it: indexing for an earlier revision ends without an effect. */
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

const textFields = {
  /** Id of the document. */
  _id: required(String),
  text: required(String),
  /** Missing in documents of earlier versions. */
  places: optional<Place[]>([Schema.Types.Mixed]),
};

/**
 * The extracted text of a shared upload; offsets of passages and citations are its UTF-16 units. Separate from the document, so that lists of
 * documents do not read the texts.
 */
export const documentTextModel = defineModel<DocumentOf<typeof textFields>>(
  'DocumentText',
  'document_texts',
  textFields,
);
