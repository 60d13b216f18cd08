import { collectionOf, type KnowledgeDocument } from '../answers/index/document.ts';
import { type KnowledgeDocumentInfo, maxTitleLength } from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import { ApiError, type ErrorKey } from '../errors/errors.ts';
import { textsOf } from '../i18n/texts-of.ts';

/** All fields of a document except its text. */
export const shownFields = {
  owner: 1,
  draftFor: 1,
  title: 1,
  name: 1,
  type: 1,
  size: 1,
  pages: 1,
  status: 1,
  progress: 1,
  passages: 1,
  cited: 1,
  failure: 1,
  notices: 1,
  source: 1,
  isDraft: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;

export type ShownDocument = Pick<KnowledgeDocument, '_id' | keyof typeof shownFields>;

export function toDocumentInfo(document: ShownDocument, language: Language): KnowledgeDocumentInfo {
  const { _id, title, name, type, size, pages, status, passages, cited, failure, notices, source } = document;
  const collectionId = collectionOf(document.draftFor ?? document.owner);
  return {
    id: _id,
    ...(collectionId === null ? {} : { collectionId }),
    title,
    name: cutTitle(name ?? ''),
    type,
    size,
    pages,
    status,
    progress: status === 'ready' ? 1 : Math.min(0.99, Math.max(0, document.progress)),
    passages,
    cited: cited ?? 0,
    error: status === 'failed' ? readFailure(failure, language) : null,
    ...(status === 'ready' && notices?.length ? { notices } : {}),
    isHandbook: source === 'handbook',
    ...(document.isDraft ? { isDraft: true } : {}),
    createdAt: document.createdAt.toISOString(),
    updatedAt: (document.updatedAt ?? document.createdAt).toISOString(),
  };
}

/** Serialises a failure so that it can be shown in any language later. */
export function writeFailure(cause: unknown): string {
  if (!(cause instanceof ApiError)) return 'internal';
  const { key, details } = cause;
  return details.count === undefined ? key : `${key} ${details.count}`;
}

function readFailure(failure: string, language: Language): string {
  const [key = 'internal', count] = failure.split(' ');
  return textsOf('errors')(key as ErrorKey, { count: Number(count) })(language);
}

/** For display: one line and direction, at most `maxTitleLength` units, whole surrogate pairs. */
export function cutTitle(title: string): string {
  return cleanTitle(title)
    .slice(0, maxTitleLength)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trim();
}

export function cleanTitle(title: string): string {
  return title
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim();
}
