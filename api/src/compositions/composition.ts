import { type Connection, type Model, Schema } from 'mongoose';

/** One immutable choice of releases, named by the hash of its content. `parent` makes the history: it is never rewritten. */
export interface Composition {
  /** SHA-256, hex, over host, remotes and parent: whoever chooses the same upon the same gets the same. */
  _id: string;
  host: Chosen;
  /** Sorted by name. */
  remotes: Chosen[];
  /** The composition that was live before; null for the first. */
  parent: string | null;
  /** `start` for what `npm start` published, else who in operations chose it. */
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
  /** The release's digest, so that a composition's name stands for every byte in it. */
  digest: string;
  /** The release to fall back to, see `chooseFallbacks`; null when there is none. */
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

/** The compositions of this connection's database. */
export function compositionModel(connection: Connection): Model<Composition> {
  return (
    (connection.models.Composition as Model<Composition>) ??
    connection.model('Composition', compositionSchema)
  );
}
