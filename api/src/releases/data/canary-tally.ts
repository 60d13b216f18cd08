import { type Model, Schema } from 'mongoose';
import type { VitalName } from '../../contract/reports.ts';
import { type DocumentOf, field, required } from '../../store/fields.ts';
import { defineModelOfEnvironments } from './environment.ts';
import type { StepCounts } from './health-count.ts';

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

/** Retention of tallies after the last page, in seconds (8 days). */
const retentionSeconds = 8 * 86_400;

const fields = {
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
export type CanaryTally = DocumentOf<typeof fields>;

const { schema, create } = defineModelOfEnvironments<CanaryTally>('CanaryTally', 'canary_tallies', fields);
schema.index({ lastAt: 1 }, { expireAfterSeconds: retentionSeconds });

export type CanaryTallyModel = Model<CanaryTally>;
export const createCanaryTallyModel = create;
