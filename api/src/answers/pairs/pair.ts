import type { Model } from 'mongoose';
import type { Language } from '../../contract/language.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, field, list, required, withDefault } from '../../store/fields.ts';
import type { CollectionOwner } from '../index/document.ts';

const fields = {
  _id: required(String),
  /** `handbook`, `editor` for an editor's pair of the first collection, else the collection's owner. */
  source: required<'handbook' | 'editor' | CollectionOwner>(String),
  question: required(String),
  /** Other ways to ask it. */
  variants: list(String),
  answer: required(String),
  language: required<Language>(String),
  /** `questionKey` of the question and its variants, for exact matches. */
  keys: list(String),
  /** Terms of the question and its variants, for similar questions; [] if only exact ones match. */
  terms: list(String),
  /** Edition of the handbook; '' for other pairs. */
  edition: withDefault(''),
  /** Number of questions that it answered. */
  hits: withDefault(0),
  createdAt: required(Date),
  updatedAt: field<Date>({ type: Date, default: databaseDate }),
};

/** A question with its written answer, for all who may read its collection. */
export type CuratedPair = DocumentOf<typeof fields>;

export const pairModel = defineModel<CuratedPair>('Pair', 'pairs', fields);
pairModel.schema.index({ keys: 1 });
pairModel.schema.index({ terms: 1 });
pairModel.schema.index({ edition: 1 });
pairModel.schema.index({ source: 1, createdAt: -1, _id: -1 });
pairModel.schema.index({ source: 1, updatedAt: -1 });
// For the latest change of any source.
pairModel.schema.index({ updatedAt: -1 });
// For the export and the check of a change, which read pairs in the order of their ids.
pairModel.schema.index({ source: 1, _id: 1 });
pairModel.schema.index({ source: 1, language: 1, hits: -1 });
// A question has at most one pair by editors.
pairModel.schema.index(
  { keys: 1, source: 1 },
  { unique: true, partialFilterExpression: { source: 'editor' } },
);

export type PairModel = Model<CuratedPair>;
