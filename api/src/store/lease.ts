import { Schema } from 'mongoose';

/**
 * The process that works on a document. It renews `until`; after that time, the work counts as interrupted.
 */
export interface Lease {
  /** Unique to one start of one process. */
  process: string;
  host: string;
  pid: number;
  until: Date;
}

export const leaseSchema = new Schema<Lease>(
  { process: String, host: String, pid: Number, until: Date },
  { _id: false, id: false },
);
