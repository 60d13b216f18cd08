import type { TokenScope } from './tokens.ts';

/*
 * Releases and compositions: /ops/*. Reading is allowed for signed-in users and with any token; changes need a
 * token with the scope `compose:<environment>`, or a session derived from it. A change names the revision of the pointer that it
 * is based on, and is refused with 409 `conflict` if the pointer has moved since. Ids of compositions may be
 * abbreviated to their first 6 to 64 digits if unambiguous.
 */

/**
 * POST /ops/session, with any token as `Authorization: Bearer …`, → a token valid for at most 30 minutes, with the same
 * name and scopes. It ends when that token is revoked.
 */
export interface OpsSession {
  token: string;
  expiresAt: string;
  name: string;
  scopes: readonly TokenScope[];
}

/** One file of a release: path relative to its base, size in bytes, `sha384-…`, and Content-Type. */
export interface ReleaseFileInfo {
  path: string;
  size: number;
  integrity: string;
  type: string;
}

export interface ReleaseAssets {
  js: string[];
  css: string[];
  /** Scripts with its texts, by language: the page preloads those of the visitor's language. Since 1.8. */
  texts?: Record<string, string[]>;
}

/** A text in both languages, and optionally in further ones. */
export interface LocalizedText {
  zh: string;
  en: string;
}

/** Who may open a route: everyone, or visitors whose session POST /admin/auth confirms. */
export type RouteGuard = 'public' | 'session';

/** A route as a release declares it in `release.json`. */
export interface RouteDeclaration {
  /** Below /chatbot: one or more segments of lower-case letters, digits and hyphens: '/history'. */
  path: string;
  /** The exposed module whose default export is displayed: './history'. */
  module: string;
  guard: RouteGuard;
  /** Name of the page in its title and in the menu; at most 40 characters. */
  title: LocalizedText;
  /** 'plain' omits the main navigation. Default 'navigation'. */
  layout?: 'navigation' | 'plain';
  /** Entry in the main navigation; without it the page is only reached by links. */
  menu?: RouteMenu;
}

export interface RouteMenu {
  /** Name of a symbol in the host's icon sheet; unknown ones are shown as a plain square. */
  icon: string;
  /** Entries are sorted by this number, then by path. 0 to 1000. */
  order: number;
  /**
   * Whether it is shown to everyone, to signed-in visitors, or to those of them who have entered an ops token in
   * their browser. Default 'public'.
   */
  audience?: RouteGuard | 'operator';
  /** A number next to the entry, for signed-in visitors. */
  badge?: RouteBadge;
}

/**
 * A count provided by the remote's own API. The host requests it when the page is idle, after sign-in and
 * when the visitor returns to the page, and also reads it from every response of `url` to the screen itself.
 */
export interface RouteBadge {
  /** A GET path below /api/: '/api/knowledge'. */
  url: string;
  /** The field of the response body that contains the number. */
  field: string;
  /** Added to the entry's accessible name: ', {count} unanswered'. */
  label: LocalizedText;
  /** Shows the entry only to visitors for whom `field` is a number, also 0. Default: to its whole audience. */
  isCondition?: true;
}

/**
 * POST /ops/releases, with the ops token or the remote's own release token: a build's release.json including
 * its files. Returns a `ReleaseClaim`. Then PUT /ops/releases/:id/files/<path> uploads each missing file, and
 * POST /ops/releases/:id/publish completes it with `ReleaseDetails`, or returns 409 `conflict` with the field
 * `files` while some are missing. All calls are idempotent; the same version with other content gets 409
 * `version_taken`. For a published release, `missing` lists files that were lost or corrupted since. With
 * `address` the files stay on the team's own origin (one of RELEASE_ORIGINS, with CORS): they are fetched and
 * compared with `files`, and the release is published immediately, or refused with 422 `check_failed`.
 */
export interface ReleaseUpload {
  name: string;
  version: string;
  container: string;
  contract: string;
  entry: string;
  entryFiles: ReleaseAssets;
  exposes: Record<string, ReleaseAssets>;
  shared: Record<string, string>;
  /** Routes to its own modules. Hosts built before 1.5 send a table of path to screen for all remotes. */
  routes: RouteDeclaration[] | Record<string, string>;
  /** Paths of other releases' routes that its screens link to. */
  links?: string[];
  /** Set for a build by a standard Module Federation configuration, without `defineRemote`. */
  standard?: StandardBuild;
  /** Host only: libraries of `shared` of which it provides a part, in the share scope `desk`. */
  facades?: string[];
  /** index.html of the host, '' for a remote. */
  template: string;
  styleMarks: Record<string, string>;
  commit: string | null;
  files: Pick<ReleaseFileInfo, 'path' | 'size' | 'integrity'>[];
  /** Absolute, with a trailing slash. */
  address?: string;
}

/** How to open a container that was not built by `defineRemote`. */
export interface StandardBuild {
  /**
   * 'module': the entry is an ES module. 'script': it is a classic script that assigns the container to the
   * global variable `container`.
   */
  type: 'module' | 'script';
  /** Global array in which the chunks of a 'script' register themselves. */
  chunks?: string;
  /** Version of each library that it contains and shares with itself only, because the host has no complete one. */
  own: Record<string, string>;
}

export interface ReleaseClaim {
  id: string;
  /** Paths that have not been uploaded yet. */
  missing: string[];
  publishedAt: string | null;
}

/** GET /ops/releases `?name=&cursor=&limit=` → `{releases, nextCursor}`, newest first. */
export interface ReleaseSummary {
  /** `mfe-chat@1.4.0`. */
  id: string;
  name: string;
  version: string;
  base: string;
  contract: string;
  commit: string | null;
  /** Total size of all files in bytes. */
  size: number;
  fileCount: number;
  /** 'start' or the name of the token that was used; that of a token in RELEASE_TOKENS is its remote. */
  publishedBy: string;
  publishedAt: string;
  /** Whether it is part of the live composition or of a running canary. */
  isLive: boolean;
  /** Set while it must not be selected. */
  yanked: { at: string; author: string; reason: string } | null;
}

/**
 * GET /ops/releases/:id. To copy a release to another server: GET /ops/releases/:id/upload is its `ReleaseUpload`,
 * and GET /ops/releases/:id/files/<path> each of its files, source maps included; with the ops token or the remote's
 * own release token.
 */
export interface ReleaseDetails extends ReleaseSummary {
  /** SHA-256 (hex) of its content: the same digest means the same build. */
  digest: string;
  entry: string;
  exposes: Record<string, ReleaseAssets>;
  shared: Record<string, string>;
  routes: Record<string, string>;
  standard?: StandardBuild;
  files: ReleaseFileInfo[];
}

/**
 * POST /ops/releases/:id/yank `{author, reason}` and /unyank → `YankedRelease`, with a token that may publish it. A
 * yanked release is not selected in any environment and no page falls back to it; what is live stays live.
 */
export interface YankedRelease {
  release: string;
  /** null after /unyank. */
  yanked: ReleaseSummary['yanked'];
  /** Where visitors get it at the moment. */
  uses: ReleaseUse[];
}

export interface ReleaseUse {
  environment: string;
  role: 'live' | 'canary';
  composition: string;
}
