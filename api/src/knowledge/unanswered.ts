import type { Model } from 'mongoose';
import type { Language } from '../contract/language.ts';
import { defineModel, onlyWhere } from '../store/define-model.ts';
import {
  type DocumentOf,
  field,
  list,
  nullable,
  optional,
  part,
  required,
  withDefault,
} from '../store/fields.ts';

const answer = part({
  pairId: field(String),
  collectionId: optional(String),
  text: field(String),
  at: field(String),
});

const fields = {
  /** Keyed hash of its first question and its audience: two processes with the same question create the same group. */
  _id: required(String),
  /** `dismissed` groups collect further questions unseen; `answering`: an answer is being added. */
  state: required<'open' | 'dismissed' | 'answering'>(String),
  language: withDefault<Language>('zh'),
  /** Ids of the collections that its askers could read, sorted; see `Collections.audienceOf`. */
  audience: list(String),
  /** The latest question. '' in a dismissed group without records. */
  question: withDefault(''),
  /** Some of its phrasings, the latest first, for comparing with other questions. */
  ways: list(String),
  /** Keyed hashes of its phrasings with its audience. */
  keys: list(String),
  /** Terms of its phrasings, for look-ups. */
  terms: list(String),
  count: withDefault(0),
  /** Records of `count` for which nothing was found; for the others the answer was rated down. */
  notFound: withDefault(0),
  notHelpful: withDefault(0),
  lastAskedAt: field<Date>({ type: Date, default: () => new Date(0) }),
  /** Whether it must be recalculated because records were added or removed. */
  isDue: withDefault(false),
  /** Incremented whenever a record is added or removed: a concurrent recalculation is then repeated. */
  revision: withDefault(0),
  /** Whether it waits for being asked again. */
  asksAgain: optional(Boolean),
  /** When the knowledge was found to answer it: hidden until it is asked again. Missing or null: no. */
  answerableAt: optional<Date | null>(Date),
  /** state `answering`: the answer for the records. */
  answer: nullable(answer),
};

/**
 * A group of similar questions in the unanswered inbox. Membership is stored in the records
 * (`RecordDocument.inbox`); everything else here is recalculated from them, so that nothing of a record
 * outlives it.
 */
export type UnansweredGroup = DocumentOf<typeof fields>;

const { schema, create } = defineModel<UnansweredGroup>('Unanswered', 'unanswered', fields);
schema.index({ state: 1, count: -1, lastAskedAt: -1, _id: -1 });
schema.index({ keys: 1 });
schema.index({ terms: 1 });
schema.index({ isDue: 1, _id: 1 }, onlyWhere({ isDue: true }));
schema.index({ asksAgain: 1, _id: 1 }, onlyWhere({ asksAgain: true }));

export type UnansweredModel = Model<UnansweredGroup>;
export const createUnansweredModel = create;
