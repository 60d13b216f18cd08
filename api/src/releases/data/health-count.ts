import { type Connection, type Model, Schema } from 'mongoose';
import type { VitalName } from '../../contract/reports.ts';
import { modelIn, PRODUCTION } from './environment.ts';

/** Counts by name of a histogram bucket (`b07`). Missing means 0. */
export type StepCounts = Record<string, number>;

/** Counts from pages for one release within one composition in one time span. Counts only ever increase. */
export interface HealthCount {
  /**
   * Derived from `step`, `at`, `composition`, `remote` and `version`, so that any process can create the
   * document.
   */
  _id: string;
  /** Width of the span in minutes: everything is counted both in a narrow and in a wide span. */
  step: number;
  /** Start of the span. */
  at: Date;
  composition: string;
  remote: string;
  version: string;
  /** Host only: pages that were served and have had time to report. */
  served: number;
  /** Of these, pages that a browser opened. */
  opened: number;
  loads: number;
  failures: number;
  /** Not `errors`, which mongoose reserves. */
  errorCount: number;
  vitals: Partial<Record<VitalName, StepCounts>>;
  /** Keyed by a hash of kind and text; limited in number. */
  texts: Record<string, HealthText>;
}

export interface HealthText {
  kind: 'failure' | 'error';
  error: string;
  count: number;
  lastAt: Date;
}

/** Retention of counts, in seconds (8 days). */
const retentionSeconds = 8 * 86_400;

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
schema.index({ at: 1 }, { expireAfterSeconds: retentionSeconds });

export type HealthCountModel = Model<HealthCount>;

export function createHealthCountModel(
  connection: Connection,
  environment: string = PRODUCTION,
): HealthCountModel {
  return modelIn(connection, environment, 'HealthCount', schema);
}
