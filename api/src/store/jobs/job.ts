import type { Model } from 'mongoose';
import { defineModel } from '../define-model.ts';
import { type Lease, leaseSchema } from '../process-lease.ts';

/** Work that is still to be done; deleted once it is done, unless it is periodic. All times are those of the database. */
export interface JobDocument {
  /** `<kind> <key>` */
  _id: string;
  kind: string;
  key: string;
  /** Jobs of one queue run one after the other; null for independent jobs. */
  queue: string | null;
  data: unknown;
  /** Position in its queue: the time at which it was first due. */
  order: Date;
  /** When it runs; while it runs, the end of its lease; null after its last attempt, until it is run again. */
  dueAt: Date | null;
  /** The process that runs it. */
  lease: Lease | null;
  /** Its queue while it runs: the index on it lets one job of a queue run. */
  running?: string;
  /** Counts requests: a job that is requested while it runs will run again. */
  requests: number;
  attempts: number;
  /** Message of the last failure. */
  failure: string;
}

const date = { type: Date, required: true } as const;
const text = { type: String, required: true } as const;

const { schema, create } = defineModel<JobDocument>('Job', 'jobs', {
  _id: text,
  kind: text,
  key: String,
  queue: { type: String, default: null },
  data: { type: Object, default: null },
  order: date,
  dueAt: { type: Date, default: null },
  lease: { type: leaseSchema, default: null },
  running: String,
  requests: { type: Number, default: 1 },
  attempts: { type: Number, default: 0 },
  failure: { type: String, default: '' },
});
schema.index({ dueAt: 1 });
schema.index({ queue: 1, order: 1 });
schema.index({ running: 1 }, { unique: true, partialFilterExpression: { running: { $exists: true } } });

export type JobModel = Model<JobDocument>;
export const createJobModel = create;
