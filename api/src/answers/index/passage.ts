import { type Model, Schema } from 'mongoose';
import type { Language } from '../../contract/language.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, list, optional, required, withDefault } from '../../store/fields.ts';
import type { Place } from './document.ts';

const fields = {
  _id: required(String),
  /** The owner of its document. */
  owner: withDefault(''),
  documentId: required(String),
  title: required(String),
  /** Heading path, for people. */
  place: withDefault(''),
  /** The nearest heading above, which may be suggested as a question; '' if it is the only one. */
  heading: withDefault(''),
  /** Ways to ask for it: the heading, and in the handbook additional ones. */
  ways: list(String),
  language: required<Language>(String),
  text: required(String),
  start: required(Number),
  end: required(Number),
  /** The header row of the table that `text` begins within; '' if it begins within none. */
  tableHead: withDefault(''),
  /** Where its start and what begins within it are found in the file, for display; missing if unknown. */
  places: optional<Place[]>([Schema.Types.Mixed]),
  /** Edition of the handbook; '' for other documents. */
  edition: withDefault(''),
};

/**
 * A span of a document that can be cited: `documentText.slice(start, end) === text`. It is found through the
 * `FindablePassage` with the same id. Without one it is superseded: readable from existing citations, but not
 * found.
 */
export type KnowledgePassage = DocumentOf<typeof fields>;

/** Address of a passage in the API, for citations. */
export const hrefOf = (id: string) => `/api/passages/${encodeURIComponent(id)}`;

/** The title of its document and its headings, for people. A title equal to the first heading is omitted. */
export function fullPlace({ title, place }: Pick<KnowledgePassage, 'title' | 'place'>): string {
  const [first] = place.split(' › ');
  return first === title ? place : [title, place].filter(Boolean).join(' › ');
}

export const passageModel = defineModel<KnowledgePassage>('Passage', 'passages', fields);
passageModel.schema.index({ documentId: 1, start: 1 });
passageModel.schema.index({ edition: 1 });
// To change the owner of, or delete, all passages of an owner.
passageModel.schema.index({ owner: 1 });

export type PassageModel = Model<KnowledgePassage>;
