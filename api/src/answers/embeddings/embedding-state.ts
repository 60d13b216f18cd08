import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, nullable, required, withDefault } from '../../store/fields.ts';

const fields = {
  _id: required(String),
  /** Model, passage prefix and version of the embedded text. */
  signature: withDefault(''),
  /** Dimensions of the endpoint's vectors; 0 before the first one. */
  dimensions: withDefault(0),
  /** Hash of signature and dimensions, stored with each vector as `FindablePassage.vectorOf`. */
  key: withDefault(''),
  /** Id of the last processed passage, in the order of ids; null when all are processed. */
  after: nullable(String),
  /** Number of processed passages, of `total`. */
  done: withDefault(0),
  total: withDefault(0),
  /** Number of written batches. */
  version: withDefault(0),
};

/** Progress of computing the vectors of all passages. One document. */
export type EmbeddingState = DocumentOf<typeof fields>;

export const embeddingStateModel = defineModel<EmbeddingState>('EmbeddingState', 'embedding_states', fields);
