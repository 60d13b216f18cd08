import { type Model, Schema } from 'mongoose';
import type { Language } from '../../contract/language.ts';
import { defineModel } from '../../store/define-model.ts';
import type { Place } from './document.ts';

/**
 * A span of a document that can be cited: `documentText.slice(start, end) === text`. It is found through the `FindablePassage` with the same id;
 * without one it is superseded: readable from existing citations, but never found.
 */
export interface KnowledgePassage {
  _id: string;
  /** As of its document. */
  owner: string;
  documentId: string;
  title: string;
  /** Heading path, for people. */
  place: string;
  /** The nearest heading above, offered as a question that the desk can answer; '' above the first heading. */
  heading: string;
  /** Ways to ask for it: the heading and the additional ones of the handbook. */
  ways: string[];
  language: Language;
  text: string;
  start: number;
  end: number;
  /** The header row of the table that `text` begins within; '' if it begins within none. */
  tableHead: string;
  /** Where its start and what begins within it are found in the file, for display; missing if unknown. */
  places?: Place[];
  /** Edition of the handbook; '' for other documents. */
  edition: string;
}

/** The title of its document and its headings, for people; a title that is also the first heading is named once. */
export function fullPlace({ title, place }: Pick<KnowledgePassage, 'title' | 'place'>): string {
  const [first] = place.split(' › ');
  return first === title ? place : [title, place].filter(Boolean).join(' › ');
}

const { schema, create } = defineModel<KnowledgePassage>('Passage', 'passages', {
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
  places: { type: [Schema.Types.Mixed], default: undefined },
  edition: { type: String, default: '' },
});
schema.index({ documentId: 1, start: 1 });
schema.index({ edition: 1 });
// To change the owner of, or delete, all passages of an owner.
schema.index({ owner: 1 });

export type PassageModel = Model<KnowledgePassage>;
export const createPassageModel = create;
