import { type Connection, type Model, Schema } from 'mongoose';

/**
 * One immutable build of the host or of a remote. What it is never changes; `publishedAt` and `removed` say how far along it is:
 * claimed, published, going away, gone. What is gone keeps its name and digest, so that no other content ever takes its place.
 */
export interface Release {
  /** `mfe-chat@1.4.0`. */
  _id: string;
  name: string;
  version: string;
  /**
   * Where browsers find its files: `/chatbot/releases/mfe-chat/files/` where all are named by their content, else
   * `/chatbot/releases/mfe-chat/1.4.0/`, or absolute on another origin. Ends with a slash.
   */
  base: string;
  /** The federation container's name, '' for the host. */
  container: string;
  /** Paths below `base`, as everywhere in a release. */
  entry: string;
  entryFiles: Assets;
  exposes: Exposed[];
  shared: SharedLibrary[];
  /** Version of the host contract that it was built against, or that it offers (the host). */
  contract: string;
  /** Of the host alone: which screen each route shows. */
  routes: Route[];
  /** Of the host alone: index.html with `<!--head-->` in it. '' for a remote. */
  template: string;
  files: ReleaseFile[];
  /** SHA-256, hex, over everything above but the names: the same digest is the same build. */
  digest: string;
  commit: string | null;
  /** When it was claimed; while its files come, when something last came. */
  createdAt: Date;
  /** null while its files are still being written, and once it goes away: no composition may name it. */
  publishedAt: Date | null;
  /** 'start', 'ops' or the remote whose release token it was. */
  publishedBy: string;
  removed: Removal | null;
}

/** A release that goes away, or is gone. */
export interface Removal {
  /** When somebody last took it in hand. */
  at: Date;
  /** When it had been published; null: it never was. */
  publishedAt: Date | null;
  phase: RemovalPhase;
}

/** `marked`: nobody may choose it any more, and it may still be taken back. `deleting`: its files go. `gone`: they are gone. */
export type RemovalPhase = 'marked' | 'deleting' | 'gone';

export interface Assets {
  js: string[];
  css: string[];
}

/** `name` is the exposed module's: './chat'. */
export interface Exposed extends Assets {
  name: string;
}

/** A remote says a range, the host the version that it provides. */
export interface SharedLibrary {
  library: string;
  range: string;
}

/** `path` is below /chatbot: '/index'. */
export interface Route {
  path: string;
  remote: string;
  module: string;
}

export interface ReleaseFile {
  path: string;
  /** Bytes. */
  size: number;
  /** `sha384-…` as in HTML. */
  integrity: string;
  /** The Content-Type it is served with. */
  type: string;
  /** Of a style sheet: by this `data-rspack` the bundler's loader sees that the page has it already. '' for all else. */
  mark: string;
}

const text = { type: String, required: true };
const textOrEmpty = { type: String, default: '' };
const part = { _id: false };
const assets = { js: [String], css: [String] };

const removal = new Schema<Removal>(
  { at: { type: Date, required: true }, publishedAt: { type: Date, default: null }, phase: text },
  part,
);

const releaseSchema = new Schema<Release>(
  {
    _id: text,
    name: text,
    version: text,
    base: text,
    container: textOrEmpty,
    entry: text,
    entryFiles: new Schema<Assets>(assets, part),
    exposes: [new Schema<Exposed>({ name: text, ...assets }, part)],
    shared: [new Schema<SharedLibrary>({ library: text, range: text }, part)],
    contract: text,
    routes: [new Schema<Route>({ path: text, remote: text, module: text }, part)],
    template: textOrEmpty,
    files: [
      new Schema<ReleaseFile>(
        {
          path: text,
          size: { type: Number, required: true },
          integrity: text,
          type: text,
          mark: textOrEmpty,
        },
        part,
      ),
    ],
    digest: text,
    commit: { type: String, default: null },
    createdAt: { type: Date, required: true },
    publishedAt: { type: Date, default: null },
    publishedBy: { type: String, default: 'start' },
    removed: { type: removal, default: null },
  },
  { collection: 'releases', versionKey: false, autoIndex: false, autoCreate: false },
);

// Newest first, of all and of one remote; and what was published before, or never.
releaseSchema.index({ publishedAt: -1, _id: -1 });
releaseSchema.index({ name: 1, publishedAt: -1, _id: -1 });
// Those with a file.
releaseSchema.index({ name: 1, 'files.path': 1 });

/** The releases of this connection's database. */
export function releaseModel(connection: Connection): Model<Release> {
  return (connection.models.Release as Model<Release>) ?? connection.model('Release', releaseSchema);
}
