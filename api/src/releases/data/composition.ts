import { type Connection, type Model, Schema } from 'mongoose';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, field, nullable, required, withDefault } from '../../store/fields.ts';

export interface Chosen {
  name: string;
  /** `mfe-chat@1.4.0`. */
  release: string;
  version: string;
  base: string;
  /** Digest of the release, so that the composition's id covers every byte of it. */
  digest: string;
  /** The fallback release, see `chooseFallbacks`, or null. */
  previous: string | null;
}

const text = { type: String, required: true };
const textOrNull = { type: String, default: null };
const chosen = new Schema<Chosen>(
  { name: text, release: text, version: text, base: text, digest: text, previous: textOrNull },
  { _id: false },
);

const fields = {
  /** SHA-256 (hex) of host, remotes and parent: the same choice with the same parent has the same id. */
  _id: required(String),
  host: required(chosen),
  /** Sorted by name. */
  remotes: field<Chosen[]>([chosen]),
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

const { schema: compositionSchema } = defineModel<Composition>('Composition', 'compositions', fields);
compositionSchema.index({ createdAt: -1, _id: -1 });

/** Model of compositions on this connection. */
export function compositionModel(connection: Connection): Model<Composition> {
  return (
    (connection.models.Composition as Model<Composition>) ??
    connection.model('Composition', compositionSchema)
  );
}
