import type { Model } from 'mongoose';
import { defineModel } from '../../store/define-model.ts';

/** Progress of computing the vectors of all passages. One document. */
export interface EmbeddingState {
  _id: string;
  /** Model, passage prefix and version of the embedded text. */
  signature: string;
  /** Of the endpoint's vectors; 0 before the first one. */
  dimensions: number;
  /** Derived from signature and dimensions: `FindablePassage.vectorOf`. */
  key: string;
  /** Passages are processed in the order of their ids, so far up to this one; null when all are done. */
  after: string | null;
  /** Number of processed passages, of `total`. */
  done: number;
  total: number;
  /** Incremented with each batch written. */
  version: number;
}

const { create } = defineModel<EmbeddingState>('EmbeddingState', 'embedding_states', {
  _id: { type: String, required: true },
  signature: { type: String, default: '' },
  dimensions: { type: Number, default: 0 },
  key: { type: String, default: '' },
  after: { type: String, default: null },
  done: { type: Number, default: 0 },
  total: { type: Number, default: 0 },
  version: { type: Number, default: 0 },
});

export type EmbeddingStateModel = Model<EmbeddingState>;
export const createEmbeddingStateModel = create;
