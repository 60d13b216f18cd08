import { Schema } from 'mongoose';

/** Which process works on a document. It renews `until`; after that, the work counts as broken off. */
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
