import { type Connection, type Model, Schema } from 'mongoose';
import { type Lease, leaseSchema } from '../../store/lease.ts';

/** How far the vectors of all passages are. One document. */
export interface EmbeddingState {
  _id: string;
  /** What vectors are comparable by: model, passage prefix and what is embedded of a passage. */
  signature: string;
  /** Of the vectors that the endpoint sends; 0 as long as none came. */
  dimensions: number;
  /** Names signature and dimensions: `FindablePassage.vectorOf`. */
  key: string;
  /** All passages are looked at in the order of their ids, and have been up to here; null once it is done. */
  after: string | null;
  /** Passages that were looked at, of how many. */
  done: number;
  total: number;
  /** Grows with each batch that is written. */
  version: number;
  /** The process that computes; null when none does. */
  lease: Lease | null;
}

const schema = new Schema<EmbeddingState>(
  {
    _id: { type: String, required: true },
    signature: { type: String, default: '' },
    dimensions: { type: Number, default: 0 },
    key: { type: String, default: '' },
    after: { type: String, default: null },
    done: { type: Number, default: 0 },
    total: { type: Number, default: 0 },
    version: { type: Number, default: 0 },
    lease: { type: leaseSchema, default: null },
  },
  { collection: 'embedding_states', versionKey: false, autoIndex: false, autoCreate: false },
);

export type EmbeddingStateModel = Model<EmbeddingState>;

export function createEmbeddingStateModel(connection: Connection): EmbeddingStateModel {
  return connection.model<EmbeddingState>('EmbeddingState', schema);
}
