import { type Connection, type Model, Schema } from 'mongoose';
import type { Language } from '../contract/contract.ts';

/**
 * A group of the unanswered inbox: questions that are alike. Which records are in it, they say themselves (`RecordDocument.inbox`); all
 * else here follows from them and is made anew from them, so that nothing of a record outlives it.
 */
export interface UnansweredGroup {
  /** Told by the question that it began with, keyed: two processes that meet the same one begin the same group. */
  _id: string;
  /** `open` is to be seen; `dismissed` takes in further askings and shows none; `answering` is getting its answer. */
  state: 'open' | 'dismissed' | 'answering';
  language: Language;
  /** As it was asked last. '' in a dismissed group that nothing is left of. */
  question: string;
  /** Some of its wordings, the latest first: what another question is compared with. */
  ways: string[];
  /** Keyed hashes of `questionKey` of its wordings. */
  keys: string[];
  /** What its wordings are about: it is looked up by them. */
  terms: string[];
  count: number;
  lastAskedAt: Date;
  /** Made anew from its records since the last time that one came or went, unless set. */
  isDue: boolean;
  /** Goes up whenever a record comes or goes: whoever made it anew meanwhile does so once more. */
  revision: number;
  /** state `answering`: what the records are to get. */
  answer: { pairId: string; text: string; at: string } | null;
}

const answer = new Schema<NonNullable<UnansweredGroup['answer']>>(
  { pairId: String, text: String, at: String },
  { _id: false, id: false },
);

const schema = new Schema<UnansweredGroup>(
  {
    _id: { type: String, required: true },
    state: { type: String, required: true },
    language: { type: String, default: 'zh' },
    question: { type: String, default: '' },
    ways: { type: [String], default: [] },
    keys: { type: [String], default: [] },
    terms: { type: [String], default: [] },
    count: { type: Number, default: 0 },
    lastAskedAt: { type: Date, default: () => new Date(0) },
    isDue: { type: Boolean, default: false },
    revision: { type: Number, default: 0 },
    answer: { type: answer, default: null },
  },
  { collection: 'unanswered', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ state: 1, count: -1, lastAskedAt: -1, _id: -1 });
schema.index({ keys: 1 });
schema.index({ terms: 1 });
schema.index({ isDue: 1, _id: 1 }, { partialFilterExpression: { isDue: true } });

export type UnansweredModel = Model<UnansweredGroup>;

export function createUnansweredModel(connection: Connection): UnansweredModel {
  return connection.model<UnansweredGroup>('Unanswered', schema);
}
