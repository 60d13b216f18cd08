import { type Model, Schema } from 'mongoose';
import type { VitalName } from '../../contract/reports.ts';
import { type DocumentOf, field, required, withDefault } from '../../store/fields.ts';
import { defineModelOfEnvironments } from './environment.ts';

/** Counts by name of a histogram bucket (`b07`). Missing means 0. */
export type StepCounts = Record<string, number>;

export interface HealthText {
  kind: 'failure' | 'error';
  error: string;
  count: number;
  lastAt: Date;
}

/** Retention of counts, in seconds (8 days). */
const retentionSeconds = 8 * 86_400;

const fields = {
  /** By `step`, `at`, `composition`, `remote` and `version`, so that any process can create it. */
  _id: required(String),
  /** Width of the span in minutes: everything is counted both in a narrow and in a wide span. */
  step: required(Number),
  /** Start of the span. */
  at: required(Date),
  composition: required(String),
  remote: required(String),
  version: required(String),
  /** Host only: pages that were served and have had time to report. */
  served: withDefault(0),
  /** Number of these pages that a browser opened. */
  opened: withDefault(0),
  loads: withDefault(0),
  failures: withDefault(0),
  /** Not `errors`, which mongoose reserves. */
  errorCount: withDefault(0),
  vitals: field<Partial<Record<VitalName, StepCounts>>>(Schema.Types.Mixed),
  /** Keyed by a hash of kind and text; limited in number. */
  texts: field<Record<string, HealthText>>(Schema.Types.Mixed),
};

/** Counts from pages for one release within one composition in one time span. Counts only ever increase. */
export type HealthCount = DocumentOf<typeof fields>;

const { schema, create } = defineModelOfEnvironments<HealthCount>('HealthCount', 'health_counts', fields);
schema.index({ step: 1, at: 1 });
schema.index({ at: 1 }, { expireAfterSeconds: retentionSeconds });

export type HealthCountModel = Model<HealthCount>;
export const createHealthCountModel = create;

/** Counts of several spans or releases together. */
export function sumOf(counts: readonly Partial<HealthCount>[]) {
  const sum = { served: 0, opened: 0, loads: 0, failures: 0, errors: 0 };
  for (const { served = 0, opened = 0, loads = 0, failures = 0, errorCount = 0 } of counts) {
    sum.served += served;
    sum.opened += opened;
    sum.loads += loads;
    sum.failures += failures;
    sum.errors += errorCount;
  }
  return sum;
}
