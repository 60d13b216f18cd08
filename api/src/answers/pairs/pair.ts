import type { Model } from 'mongoose';
import type { Language } from '../../contract/language.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { defineModel } from '../../store/define-model.ts';
import type { CollectionOwner } from '../index/document.ts';

/** A question with its written answer, for all who may read its collection. */
export interface CuratedPair {
  _id: string;
  /** An editor's pair of the first collection has the source `editor`, one of another collection its owner. */
  source: 'handbook' | 'editor' | CollectionOwner;
  question: string;
  /** Other ways to ask it. */
  variants: string[];
  answer: string;
  language: Language;
  /** `questionKey` of the question and its variants, for exact matches. */
  keys: string[];
  /** Terms of the question and its variants, for similar questions; empty for greetings, which match only exactly. */
  terms: string[];
  /** Edition of the handbook; '' for other pairs. */
  edition: string;
  /** Number of questions it answered. */
  hits: number;
  createdAt: Date;
  updatedAt: Date;
}

const { schema, create } = defineModel<CuratedPair>('Pair', 'pairs', {
  _id: { type: String, required: true },
  source: { type: String, required: true },
  question: { type: String, required: true },
  variants: { type: [String], default: [] },
  answer: { type: String, required: true },
  language: { type: String, required: true },
  keys: { type: [String], default: [] },
  terms: { type: [String], default: [] },
  edition: { type: String, default: '' },
  hits: { type: Number, default: 0 },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, default: databaseDate },
});
schema.index({ keys: 1 });
schema.index({ terms: 1 });
schema.index({ edition: 1 });
schema.index({ source: 1, createdAt: -1, _id: -1 });
schema.index({ source: 1, updatedAt: -1 });
// The latest change, whatever its source.
schema.index({ updatedAt: -1 });
// The export and the check of a change read them in the order of their ids.
schema.index({ source: 1, _id: 1 });
schema.index({ source: 1, language: 1, hits: -1 });
// A question has at most one pair by editors.
schema.index({ keys: 1, source: 1 }, { unique: true, partialFilterExpression: { source: 'editor' } });

export type PairModel = Model<CuratedPair>;
export const createPairModel = create;
