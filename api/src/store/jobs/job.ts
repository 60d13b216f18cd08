import type { Model } from 'mongoose';
import { defineModel, onlyWith } from '../define-model.ts';
import { type DocumentOf, field, nullable, optional, required, withDefault } from '../fields.ts';
import { leaseSchema } from '../process-lease.ts';

const fields = {
  /** `<kind> <key>` */
  _id: required(String),
  kind: required(String),
  key: field(String),
  /** Jobs of one queue run one after the other; null for independent jobs. */
  queue: nullable(String),
  data: field<unknown>({ type: Object, default: null }),
  /** Position in its queue: the time at which it was first due. */
  order: required(Date),
  /** When it runs; while it runs, the end of its lease; null after its last attempt, until it is run again. */
  dueAt: nullable(Date),
  /** The process that runs it. */
  lease: nullable(leaseSchema),
  /** Its queue while it runs: the index on it lets one job of a queue run. */
  running: optional(String),
  /** Counts requests: a job that is requested while it runs will run again. */
  requests: withDefault(1),
  attempts: withDefault(0),
  /** Message of the last failure. */
  failure: withDefault(''),
};

/** Work that is still to be done; deleted once it is done, unless it is periodic. All times are those of the database. */
export type JobDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<JobDocument>('Job', 'jobs', fields);
schema.index({ dueAt: 1 });
schema.index({ queue: 1, order: 1 });
schema.index({ running: 1 }, { unique: true, ...onlyWith('running') });

export type JobModel = Model<JobDocument>;
export const createJobModel = create;
