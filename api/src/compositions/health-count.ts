import { type Connection, type Model, Schema } from 'mongoose';
import type { VitalName } from '../contract/contract.ts';

/** Counts by the name of a step of a histogram: `b07`. What is not there is 0. */
export type StepCounts = Record<string, number>;

/** What pages told of one release, as a part of one composition, in one span of time. Only ever counted up. */
export interface HealthCount {
  /** Told by all of `step`, `at`, `composition`, `remote`, `version`, so that whoever counts first makes it. */
  _id: string;
  /** Width of the span in minutes: everything is counted in a narrow one and in a wide one. */
  step: number;
  /** When the span begins. */
  at: Date;
  composition: string;
  remote: string;
  version: string;
  /** Of the host alone: pages that were sent and have had time to report. */
  served: number;
  /** Those of them that a browser opened. */
  opened: number;
  loads: number;
  failures: number;
  /** `errors` would be a name of mongoose's own. */
  errorCount: number;
  vitals: Partial<Record<VitalName, StepCounts>>;
  /** By a hash of kind and text; few. */
  texts: Record<string, HealthText>;
}

export interface HealthText {
  kind: 'failure' | 'error';
  error: string;
  count: number;
  lastAt: Date;
}

/** Days that counts are kept, in seconds. */
const keptFor = 8 * 86_400;

const schema = new Schema<HealthCount>(
  {
    _id: { type: String, required: true },
    step: { type: Number, required: true },
    at: { type: Date, required: true },
    composition: { type: String, required: true },
    remote: { type: String, required: true },
    version: { type: String, required: true },
    served: { type: Number, default: 0 },
    opened: { type: Number, default: 0 },
    loads: { type: Number, default: 0 },
    failures: { type: Number, default: 0 },
    errorCount: { type: Number, default: 0 },
    vitals: Schema.Types.Mixed,
    texts: Schema.Types.Mixed,
  },
  { collection: 'health_counts', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ step: 1, at: 1 });
schema.index({ at: 1 }, { expireAfterSeconds: keptFor });

export type HealthCountModel = Model<HealthCount>;

export function createHealthCountModel(connection: Connection): HealthCountModel {
  return connection.model<HealthCount>('HealthCount', schema);
}
