import { type Connection, type Model, Schema } from 'mongoose';
import type { FirstState, RouteDeclaration, StandardBuild } from '../../contract/releases.ts';

/**
 * One immutable build of the host or of a remote. Its content never changes; `publishedAt` and `removed` give
 * its state: claimed, published, being removed, removed. A removed release keeps its name and digest, so that
 * other content can never reuse the name.
 */
export interface Release {
  /** `mfe-chat@1.4.0`. */
  _id: string;
  name: string;
  version: string;
  /**
   * Base URL of its files: `/chatbot/releases/mfe-chat/files/` if all are named by content, otherwise
   * `/chatbot/releases/mfe-chat/1.4.0/`, or absolute on another origin. Ends with a slash.
   */
  base: string;
  /** Name of the federation container; '' for the host. */
  container: string;
  /** Relative to `base`, like every path in a release. */
  entry: string;
  entryFiles: Assets;
  exposes: Exposed[];
  shared: SharedLibrary[];
  /** Version of the host contract: the one a remote was built against, or the one the host offers. */
  contract: string;
  /** The declared routes. A host built before 1.5 declares those of all remotes, with path, remote and module only. */
  routes: Route[];
  /** Paths of other releases' routes that its screens link to. Absent in releases built before 1.5. */
  links?: string[];
  /** Set for a remote that was not built by `defineRemote`. */
  standard?: Omit<StandardBuild, 'own'> & { own: SharedLibrary[] };
  /** Host only: the shared libraries of which it provides a part. Absent in releases built before 1.6. */
  facades?: string[];
  /** Absent in releases that were built without them. */
  firstStates?: FirstState[];
  /** Host only: index.html with `<!--head-->`. '' for a remote. */
  template: string;
  files: ReleaseFile[];
  /** SHA-256 (hex) of everything above except the names: the same digest means the same build. */
  digest: string;
  commit: string | null;
  /** When it was claimed; during an upload, when data last arrived. */
  createdAt: Date;
  /**
   * null while its files are being uploaded, and once its removal has started: no composition may name it
   * then.
   */
  publishedAt: Date | null;
  /** 'start' or the name of the token that was used; that of a token in RELEASE_TOKENS is its remote. */
  publishedBy: string;
  removed: Removal | null;
  /** Set while it must not be selected, see yank-release.ts. */
  yanked?: Yanked | null;
  /** Set until webhooks have been notified of the publication. */
  announce?: true;
}

/** State of a release that is being removed or has been removed. */
export interface Removal {
  /** When a process last worked on it. */
  at: Date;
  /** Original publication date; null if it was never published. */
  publishedAt: Date | null;
  phase: RemovalPhase;
}

/**
 * `marked`: can no longer be chosen, but can still be restored. `deleting`: its files are being deleted.
 * `gone`: its files are deleted.
 */
export type RemovalPhase = 'marked' | 'deleting' | 'gone';

export interface Assets {
  js: string[];
  css: string[];
  /** Scripts with its texts, by language. */
  texts?: Record<string, string[]>;
}

/** `name` is the name of the exposed module: './chat'. */
export interface Exposed extends Assets {
  name: string;
}

/** A remote declares a range, the host the version that it provides. */
export interface SharedLibrary {
  library: string;
  range: string;
}

/** `remote` is the name of the release that has the module. */
export interface Route extends Partial<RouteDeclaration> {
  path: string;
  remote: string;
  module: string;
}

export interface Yanked {
  at: Date;
  author: string;
  reason: string;
}

export interface ReleaseFile {
  path: string;
  /** In bytes. */
  size: number;
  /** `sha384-…`, as in HTML. */
  integrity: string;
  /** The Content-Type it is served with. */
  type: string;
  /**
   * Style sheets only: the value of `data-rspack` by which the bundler's loader recognises that the page
   * already contains it. '' for other files.
   */
  mark: string;
}

const text = { type: String, required: true };
const textOrEmpty = { type: String, default: '' };
const part = { _id: false };
const assets = { js: [String], css: [String], texts: { type: Object, default: undefined } };

const removal = new Schema<Removal>(
  { at: { type: Date, required: true }, publishedAt: { type: Date, default: null }, phase: text },
  part,
);

const yanked = new Schema<Yanked>({ at: { type: Date, required: true }, author: text, reason: text }, part);

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
    routes: [
      new Schema<Route>(
        {
          path: text,
          remote: text,
          module: text,
          guard: String,
          title: { type: Object, default: undefined },
          layout: String,
          menu: { type: Object, default: undefined },
        },
        part,
      ),
    ],
    links: { type: [String], default: undefined },
    standard: { type: Object, default: undefined },
    facades: { type: [String], default: undefined },
    firstStates: { type: Object, default: undefined },
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
    yanked: { type: yanked, default: undefined },
    announce: { type: Boolean, default: undefined },
  },
  { collection: 'releases', versionKey: false, autoIndex: false, autoCreate: false },
);

// For lists, newest first, of all remotes and of one; and for releases published before a date, or never.
releaseSchema.index({ publishedAt: -1, _id: -1 });
releaseSchema.index({ name: 1, publishedAt: -1, _id: -1 });
// For finding releases that contain a file.
releaseSchema.index({ name: 1, 'files.path': 1 });

releaseSchema.index({ 'yanked.at': 1 }, { partialFilterExpression: { 'yanked.at': { $exists: true } } });
releaseSchema.index({ announce: 1 }, { partialFilterExpression: { announce: true } });

/** Model of releases on this connection. */
export function releaseModel(connection: Connection): Model<Release> {
  return (connection.models.Release as Model<Release>) ?? connection.model('Release', releaseSchema);
}
