import { type Model, Schema } from 'mongoose';
import type { Language } from '../contract/language.ts';
import { defineModel } from '../store/define-model.ts';

/**
 * A group of similar questions in the unanswered inbox. Membership is stored in the records
 * (`RecordDocument.inbox`); everything else here is recalculated from them, so that nothing of a record
 * outlives it.
 */
export interface UnansweredGroup {
  /** Keyed hash of its first question: two processes with the same question create the same group. */
  _id: string;
  /**
   * `open` is shown; `dismissed` collects further questions without being shown; `answering` is being given
   * its answer.
   */
  state: 'open' | 'dismissed' | 'answering';
  language: Language;
  /** The latest question. '' in a dismissed group without records. */
  question: string;
  /** Some of its phrasings, the latest first, for comparing with other questions. */
  ways: string[];
  /** Keyed hashes of `questionKey` of its phrasings. */
  keys: string[];
  /** Terms of its phrasings, for look-ups. */
  terms: string[];
  count: number;
  /** Records of `count` for which nothing was found; for the others the answer was rated down. */
  notFound: number;
  notHelpful: number;
  lastAskedAt: Date;
  /** Whether it must be recalculated because records were added or removed. */
  isDue: boolean;
  /** Incremented whenever a record is added or removed: a concurrent recalculation is then repeated. */
  revision: number;
  /** Whether it waits for being asked again. */
  asksAgain?: boolean;
  /**
   * When the knowledge base was found to answer it: not shown until it is asked again. null or missing if it was not.
   */
  answerableAt?: Date | null;
  /** state `answering`: the answer for the records. */
  answer: { pairId: string; text: string; at: string } | null;
}

const answer = new Schema<NonNullable<UnansweredGroup['answer']>>(
  { pairId: String, text: String, at: String },
  { _id: false, id: false },
);

const { schema, create } = defineModel<UnansweredGroup>('Unanswered', 'unanswered', {
  _id: { type: String, required: true },
  state: { type: String, required: true },
  language: { type: String, default: 'zh' },
  question: { type: String, default: '' },
  ways: { type: [String], default: [] },
  keys: { type: [String], default: [] },
  terms: { type: [String], default: [] },
  count: { type: Number, default: 0 },
  notFound: { type: Number, default: 0 },
  notHelpful: { type: Number, default: 0 },
  lastAskedAt: { type: Date, default: () => new Date(0) },
  isDue: { type: Boolean, default: false },
  revision: { type: Number, default: 0 },
  asksAgain: { type: Boolean },
  answerableAt: { type: Date },
  answer: { type: answer, default: null },
});
schema.index({ state: 1, count: -1, lastAskedAt: -1, _id: -1 });
schema.index({ keys: 1 });
schema.index({ terms: 1 });
schema.index({ isDue: 1, _id: 1 }, { partialFilterExpression: { isDue: true } });

schema.index({ asksAgain: 1, _id: 1 }, { partialFilterExpression: { asksAgain: true } });

export type UnansweredModel = Model<UnansweredGroup>;
export const createUnansweredModel = create;
