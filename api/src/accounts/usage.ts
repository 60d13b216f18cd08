import type { Model } from 'mongoose';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, required, withDefault } from '../store/fields.ts';

const fields = {
  owner: required(String),
  /** YYYY-MM-DD. */
  day: required(String),
  questions: withDefault(0),
  /** Reported by the endpoint, or estimated; includes reservations of running questions. */
  tokens: withDefault(0),
  /** Start of the day. */
  at: required(Date),
};

export type UsageDocument = DocumentOf<typeof fields>;

/** Retention of daily usage, in seconds (90 days). */
const retentionSeconds = 90 * 86_400;

const { schema, create } = defineModel<UsageDocument>('ModelUsage', 'model_usage', fields);
schema.index({ owner: 1, day: 1 }, { unique: true });
schema.index({ at: 1 }, { expireAfterSeconds: retentionSeconds });

export type UsageModel = Model<UsageDocument>;
export const createUsageModel = create;
