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

/** Retention of counts, and of tallies after the last page, in seconds (8 days). */
const retentionSeconds = 8 * 86_400;

const countFields = {
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
export type HealthCount = DocumentOf<typeof countFields>;

const counts = defineModelOfEnvironments<HealthCount>('HealthCount', 'health_counts', countFields);
counts.schema.index({ step: 1, at: 1 });
counts.schema.index({ at: 1 }, { expireAfterSeconds: retentionSeconds });

export type HealthCountModel = Model<HealthCount>;
export const createHealthCountModel = counts.create;

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

export interface PartTally {
  /** Host only: pages that were served and have had time to report. */
  served: number;
  /** Pages that loaded the release or failed to load it. */
  pages: number;
  /** Pages in which loading failed. */
  failed: number;
  /** Pages in which the release reported an error. */
  erred: number;
  vitals: Partial<Record<VitalName, StepCounts>>;
}

const tallyFields = {
  /** Deterministic id derived from `run`, `composition` and `slot`. */
  _id: required(String),
  /** When the canary started or was restarted. */
  run: required(Date),
  composition: required(String),
  /** Addresses are hashed into a few groups: they tell one sender from many, and identify nobody. */
  slot: required(Number),
  /** Tallies by remote name or `host`, of the release that the composition selects, not of its fallback. */
  parts: field<Record<string, Partial<PartTally>>>(Schema.Types.Mixed),
  lastAt: required(Date),
};

/** Counts of one composition during one canary, by address group. Each page counts once. */
export type CanaryTally = DocumentOf<typeof tallyFields>;

const tallies = defineModelOfEnvironments<CanaryTally>('CanaryTally', 'canary_tallies', tallyFields);
tallies.schema.index({ lastAt: 1 }, { expireAfterSeconds: retentionSeconds });

export type CanaryTallyModel = Model<CanaryTally>;
export const createCanaryTallyModel = tallies.create;
