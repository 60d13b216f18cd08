import { defineModel } from '../../store/define-model.ts';
import {
  type DocumentOf,
  list,
  nullable,
  type Part,
  part,
  required,
  withDefault,
} from '../../store/fields.ts';

const chosen = part({
  name: required(String),
  /** `mfe-chat@1.4.0`. */
  release: required(String),
  version: required(String),
  base: required(String),
  /** Digest of the release, so that the composition's id covers every byte of it. */
  digest: required(String),
  /** The fallback release, see `chooseFallbacks`, or null. */
  previous: nullable(String),
});
export type Chosen = Part<typeof chosen>;

const fields = {
  /** SHA-256 (hex) of host, remotes and parent: the same choice with the same parent has the same id. */
  _id: required(String),
  host: required(chosen),
  /** Sorted by name. */
  remotes: list(chosen),
  /** The composition that was live before; null for the first one. */
  parent: nullable(String),
  /** `start` if created by `npm start`, otherwise the person in operations. */
  author: required(String),
  reason: withDefault(''),
  createdAt: required(Date),
};

/**
 * An immutable choice of releases, identified by the hash of its content. `parent` links form a history that
 * is never rewritten.
 */
export type Composition = DocumentOf<typeof fields>;

const { schema, create } = defineModel<Composition>('Composition', 'compositions', fields);
schema.index({ createdAt: -1, _id: -1 });

/** Model of compositions on this connection. */
export const compositionModel = create;
