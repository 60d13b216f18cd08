import { type Connection, type Model, Schema } from 'mongoose';

/**
 * An immutable choice of releases, identified by the hash of its content. `parent` links form a history that
 * is never rewritten.
 */
export interface Composition {
  /** SHA-256 (hex) of host, remotes and parent: the same choice with the same parent has the same id. */
  _id: string;
  host: Chosen;
  /** Sorted by name. */
  remotes: Chosen[];
  /** The composition that was live before; null for the first one. */
  parent: string | null;
  /** `start` if created by `npm start`, otherwise the person in operations. */
  author: string;
  reason: string;
  createdAt: Date;
}

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

const compositionSchema = new Schema<Composition>(
  {
    _id: text,
    host: { type: chosen, required: true },
    remotes: [chosen],
    parent: textOrNull,
    author: text,
    reason: { type: String, default: '' },
    createdAt: { type: Date, required: true },
  },
  { collection: 'compositions', versionKey: false, autoIndex: false, autoCreate: false },
);
compositionSchema.index({ createdAt: -1, _id: -1 });

/** Model of compositions on this connection. */
export function compositionModel(connection: Connection): Model<Composition> {
  return (
    (connection.models.Composition as Model<Composition>) ??
    connection.model('Composition', compositionSchema)
  );
}
