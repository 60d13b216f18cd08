import { type Connection, type Model, Schema } from 'mongoose';
import type { VitalName } from '../contract/contract.ts';
import type { StepCounts } from './health-count.ts';

/**
 * What was counted of one composition while one canary ran, from the pages of one group of addresses. Counted per page, not per event.
 */
export interface CanaryTally {
  /** Told by `run`, `composition` and `slot`. */
  _id: string;
  /** When the canary began, or began anew. */
  run: Date;
  composition: string;
  /** Addresses are spread over a few groups: enough to tell one sender from many, too few to tell who. */
  slot: number;
  /** By the name of a remote, or `host`; only of the release that the composition chose, not of one it fell back to. */
  parts: Record<string, Partial<PartTally>>;
  lastAt: Date;
}

export interface PartTally {
  /** Of the host alone: pages that were sent and have had time to report. */
  served: number;
  /** Pages that loaded it, or failed to. */
  pages: number;
  /** Pages in which it failed. */
  failed: number;
  /** Pages in which it reported an error. */
  erred: number;
  vitals: Partial<Record<VitalName, StepCounts>>;
}

/** Days that tallies are kept after the last page, in seconds. */
const keptFor = 8 * 86_400;

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
schema.index({ lastAt: 1 }, { expireAfterSeconds: keptFor });

export type CanaryTallyModel = Model<CanaryTally>;

export function createCanaryTallyModel(connection: Connection): CanaryTallyModel {
  return connection.model<CanaryTally>('CanaryTally', schema);
}
