import { type Connection, type Model, Schema } from 'mongoose';
import type { VitalName } from '../../contract/reports.ts';
import { modelIn, PRODUCTION } from './environment.ts';
import type { StepCounts } from './health-count.ts';

/**
 * Counts of one composition during one canary, from pages of one group of addresses. Each page counts once,
 * however many events it reports.
 */
export interface CanaryTally {
  /** Deterministic id derived from `run`, `composition` and `slot`. */
  _id: string;
  /** When the canary started or was restarted. */
  run: Date;
  composition: string;
  /**
   * Number of the address group. Addresses are hashed into a few groups: enough to distinguish one sender
   * from many, too few to identify anyone.
   */
  slot: number;
  /**
   * Keyed by remote name or `host`; counts only the release that the composition selects, not the one it fell
   * back to.
   */
  parts: Record<string, Partial<PartTally>>;
  lastAt: Date;
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

/** Retention of tallies after the last page, in seconds (8 days). */
const retentionSeconds = 8 * 86_400;

const schema = new Schema<CanaryTally>(
  {
    _id: { type: String, required: true },
    run: { type: Date, required: true },
    composition: { type: String, required: true },
    slot: { type: Number, required: true },
    parts: Schema.Types.Mixed,
    lastAt: { type: Date, required: true },
  },
  { collection: 'canary_tallies', versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ lastAt: 1 }, { expireAfterSeconds: retentionSeconds });

export type CanaryTallyModel = Model<CanaryTally>;

export function createCanaryTallyModel(
  connection: Connection,
  environment: string = PRODUCTION,
): CanaryTallyModel {
  return modelIn(connection, environment, 'CanaryTally', schema);
}
