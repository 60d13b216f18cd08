import { Schema } from 'mongoose';
import type {
  FirstState,
  LocalizedText,
  RouteDeclaration,
  RouteGuard,
  RouteMenu,
  StandardBuild,
} from '../../contract/releases.ts';
import { defineModel } from '../../store/define-model.ts';
import {
  type DocumentOf,
  field,
  list,
  nullable,
  optional,
  type Part,
  part,
  required,
  withDefault,
} from '../../store/fields.ts';

/** `marked` can be restored but not chosen; then its files are `deleting`, and finally `gone`. */
export type RemovalPhase = 'marked' | 'deleting' | 'gone';

/** State of a release that is being removed or has been removed. */
const removal = part({
  /** When a process last worked on it. */
  at: required(Date),
  /** Original publication date; null if it was never published. */
  publishedAt: nullable(Date),
  phase: required<RemovalPhase>(String),
});

const assetFields = {
  js: field<string[]>([String]),
  css: field<string[]>([String]),
  /** Scripts with its texts, by language. */
  texts: optional<Record<string, string[]>>(Schema.Types.Mixed),
};
const assets = part(assetFields);
export type Assets = Part<typeof assets>;

/** `name` is the name of the exposed module: './chat'. */
const exposed = part({ name: required(String), ...assetFields });

const sharedLibrary = part({ library: required(String), range: required(String) });
/** A remote declares a range, the host the version that it provides. */
export type SharedLibrary = Part<typeof sharedLibrary>;

/** The ranges or versions by library. */
export function rangesOf(libraries: readonly SharedLibrary[]): Record<string, string> {
  return Object.fromEntries(libraries.map(({ library, range }) => [library, range]));
}

const route = part({
  path: required(String),
  /** Name of the release that has the module. */
  remote: required(String),
  module: required(String),
  guard: required<RouteGuard>(String),
  title: required<LocalizedText>(Schema.Types.Mixed),
  layout: optional<NonNullable<RouteDeclaration['layout']>>(String),
  menu: optional<RouteMenu>(Schema.Types.Mixed),
});
export type Route = Part<typeof route>;

const yanked = part({ at: required(Date), author: required(String), reason: required(String) });
export type Yanked = Part<typeof yanked>;

const releaseFile = part({
  path: required(String),
  /** In bytes. */
  size: required(Number),
  /** `sha384-…`, as in HTML. */
  integrity: required(String),
  /** The Content-Type it is served with. */
  type: required(String),
  /** `data-rspack` of a style sheet, by which the bundler's loader finds it in the page; or ''. */
  mark: withDefault(''),
});
export type ReleaseFile = Part<typeof releaseFile>;

const fields = {
  /** `mfe-chat@1.4.0`. */
  _id: required(String),
  name: required(String),
  version: required(String),
  /**
   * Base URL of its files: `/chatbot/releases/mfe-chat/files/` if all are named by content, otherwise
   * `/chatbot/releases/mfe-chat/1.4.0/`, or absolute on another origin. Ends with a slash.
   */
  base: required(String),
  /** Name of the federation container; '' for the host. */
  container: withDefault(''),
  /** Relative to `base`, like every path in a release. */
  entry: required(String),
  entryFiles: field<Assets>(assets),
  exposes: list(exposed),
  shared: list(sharedLibrary),
  /** Version of the host contract: the one a remote was built against, or the one the host offers. */
  contract: required(String),
  /** The declared routes. */
  routes: list(route),
  /** Paths of other releases' routes that its screens link to. */
  links: optional<string[]>([String]),
  /** Set for a remote that was not built by `defineRemote`. */
  standard: optional<Omit<StandardBuild, 'own'> & { own: SharedLibrary[] }>(Schema.Types.Mixed),
  /** Host only: the shared libraries of which it provides a part. */
  facades: optional<string[]>([String]),
  /** Absent in releases that were built without them. */
  firstStates: optional<FirstState[]>(Schema.Types.Mixed),
  /** Host only: index.html with `<!--head-->`. '' for a remote. */
  template: withDefault(''),
  files: list(releaseFile),
  /** SHA-256 (hex) of everything above except the names: the same digest means the same build. */
  digest: required(String),
  commit: nullable(String),
  /** When it was claimed; during an upload, when data last arrived. */
  createdAt: required(Date),
  /** null during the upload, and from its removal on: no composition may name it then. */
  publishedAt: nullable(Date),
  /** 'start' or the name of the token that was used; that of a token in RELEASE_TOKENS is its remote. */
  publishedBy: withDefault('start'),
  removed: nullable(removal),
  /** Set while it must not be selected, see yank-routes.ts. */
  yanked: optional<Yanked | null>(yanked),
  /** Set until webhooks have been notified of the publication. */
  announce: optional<true>(Boolean),
};

/**
 * One immutable build of the host or of a remote. Its content never changes; `publishedAt` and `removed` give
 * its state: claimed, published, being removed, removed. A removed release keeps its name and digest, so that
 * other content can never reuse the name.
 */
export type Release = DocumentOf<typeof fields>;

const { schema, create } = defineModel<Release>('Release', 'releases', fields);

// For lists, newest first, of all remotes and of one; and for releases published before a date, or never.
schema.index({ publishedAt: -1, _id: -1 });
schema.index({ name: 1, publishedAt: -1, _id: -1 });
// For finding releases that contain a file.
schema.index({ name: 1, 'files.path': 1 });

schema.index({ 'yanked.at': 1 }, { partialFilterExpression: { 'yanked.at': { $exists: true } } });
schema.index({ announce: 1 }, { partialFilterExpression: { announce: true } });

export const releaseModel = create;

/** Target of `/`. */
const HOME = '/index';

/**
 * All routes of a composition: those that its remotes declare, and the host's own. If two releases declare the same path, which a
 * check would refuse, the first one applies.
 */
export function routesOf(
  host: Pick<Release, 'routes'>,
  remotes: readonly Pick<Release, 'routes'>[],
): Route[] {
  const all = [...remotes, host].flatMap(({ routes }) => routes);
  return [...new Map(all.reverse().map((route) => [route.path, route])).values()].reverse();
}

/** The route at `path` below /chatbot, with or without a trailing slash. */
export function routeAt(routes: readonly Route[], path: string): Route | undefined {
  const wanted = path.replace(/\/+$/, '') || HOME;
  return routes.find((route) => route.path === wanted);
}
