import type { Model } from 'mongoose';
import { defineModel } from '../store/define-model.ts';

/** Model usage of an owner on one day (UTC). */
export interface UsageDocument {
  owner: string;
  /** YYYY-MM-DD. */
  day: string;
  questions: number;
  /** Reported by the endpoint, or estimated; includes reservations of running questions. */
  tokens: number;
  /** Start of the day. */
  at: Date;
}

/** Retention of daily usage, in seconds (90 days). */
const retentionSeconds = 90 * 86_400;

const { schema, create } = defineModel<UsageDocument>('ModelUsage', 'model_usage', {
  owner: { type: String, required: true },
  day: { type: String, required: true },
  questions: { type: Number, default: 0 },
  tokens: { type: Number, default: 0 },
  at: { type: Date, required: true },
});
schema.index({ owner: 1, day: 1 }, { unique: true });
schema.index({ at: 1 }, { expireAfterSeconds: retentionSeconds });

export type UsageModel = Model<UsageDocument>;
export const createUsageModel = create;
