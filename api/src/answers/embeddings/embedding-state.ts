import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, nullable, required, withDefault } from '../../store/fields.ts';

const fields = {
  _id: required(String),
  /** Model, passage prefix and version of the embedded text. */
  signature: withDefault(''),
  /** Of the endpoint's vectors; 0 before the first one. */
  dimensions: withDefault(0),
  /** Derived from signature and dimensions: `FindablePassage.vectorOf`. */
  key: withDefault(''),
  /** Passages are processed in the order of their ids, so far up to this one; null when all are done. */
  after: nullable(String),
  /** Number of processed passages, of `total`. */
  done: withDefault(0),
  total: withDefault(0),
  /** Incremented with each batch written. */
  version: withDefault(0),
};

/** Progress of computing the vectors of all passages. One document. */
export type EmbeddingState = DocumentOf<typeof fields>;

export const embeddingStateModel = defineModel<EmbeddingState>('EmbeddingState', 'embedding_states', fields);
