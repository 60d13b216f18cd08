import { type Connection, type Model, Schema } from 'mongoose';

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

const schema = new Schema<UsageDocument>(
  {
    owner: { type: String, required: true },
    day: { type: String, required: true },
    questions: { type: Number, default: 0 },
    tokens: { type: Number, default: 0 },
    at: { type: Date, required: true },
  },
  { collection: 'model_usage', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ owner: 1, day: 1 }, { unique: true });
schema.index({ at: 1 }, { expireAfterSeconds: retentionSeconds });

export type UsageModel = Model<UsageDocument>;

export function createUsageModel(connection: Connection): UsageModel {
  return connection.model<UsageDocument>('ModelUsage', schema);
}
