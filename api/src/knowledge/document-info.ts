import { collectionOf, type KnowledgeDocument } from '../answers/index/document.ts';
import { KnowledgeDocumentInfo, maxTitleLength } from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import { ApiError, type ErrorKey } from '../errors/errors.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { describeAs } from '../store/describe-as.ts';

/** Projection without the text of a document. */
export const withoutText = { text: 0, places: 0 } as const;
export type ShownDocument = Omit<KnowledgeDocument, keyof typeof withoutText>;

export function toDocumentInfo(document: ShownDocument, language: Language): KnowledgeDocumentInfo {
  const { name, status, progress, cited, failure, notices, source, createdAt, updatedAt } = document;
  return describeAs(KnowledgeDocumentInfo, {
    ...document,
    collectionId: collectionOf(document.draftFor ?? document.owner),
    name: cutTitle(name ?? ''),
    progress: status === 'ready' ? 1 : Math.min(0.99, Math.max(0, progress)),
    cited: cited ?? 0,
    error: status === 'failed' ? readFailure(failure, language) : null,
    notices: status === 'ready' && notices?.length ? notices : undefined,
    isHandbook: source === 'handbook',
    isDraft: document.isDraft || undefined,
    updatedAt: updatedAt ?? createdAt,
  });
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

/** The title for display: one line, one direction, at most `maxTitleLength` UTF-16 units, whole surrogate pairs. */
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
