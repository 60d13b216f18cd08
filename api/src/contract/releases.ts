import { z } from 'zod';
import { PageQuery } from './fields.ts';
import { TokenScope } from './tokens.ts';

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
export const OpsSession = z.object({
  token: z.string(),
  expiresAt: z.string(),
  name: z.string(),
  scopes: z.array(TokenScope).readonly(),
});
export type OpsSession = z.infer<typeof OpsSession>;

/** One file of a release: path relative to its base, size in bytes, `sha384-…`, and Content-Type. */
export const ReleaseFileInfo = z.object({
  path: z.string(),
  size: z.number(),
  integrity: z.string(),
  type: z.string(),
});
export type ReleaseFileInfo = z.infer<typeof ReleaseFileInfo>;

export const ReleaseAssets = z.object({
  js: z.array(z.string()),
  css: z.array(z.string()),
  /** Scripts with its texts, by language: the page preloads those of the visitor's language. Since 1.8. */
  texts: z.record(z.string(), z.array(z.string())).exactOptional(),
});
export type ReleaseAssets = z.infer<typeof ReleaseAssets>;

/** A text in both languages, and optionally in further ones. */
export const LocalizedText = z.object({ zh: z.string(), en: z.string() });
export type LocalizedText = z.infer<typeof LocalizedText>;

/** Who may open a route: everyone, or visitors whose session POST /admin/auth confirms. */
export const RouteGuard = z.enum(['public', 'session']);
export type RouteGuard = z.infer<typeof RouteGuard>;

/**
 * A count provided by the remote's own API. The host requests it when the page is idle, after sign-in and
 * when the visitor returns to the page, and also reads it from every response of `url` to the screen itself.
 */
export const RouteBadge = z.object({
  /** A GET path below /api/: '/api/knowledge'. */
  url: z.string(),
  /** The field of the response body that contains the number. */
  field: z.string(),
  /** Added to the entry's accessible name: ', {count} unanswered'. */
  label: LocalizedText,
  /** Shows the entry only to visitors for whom `field` is a number, also 0. Default: to its whole audience. */
  isCondition: z.literal(true).exactOptional(),
});
export type RouteBadge = z.infer<typeof RouteBadge>;

export const RouteMenu = z.object({
  /** Name of a symbol in the host's icon sheet; unknown ones are shown as a plain square. */
  icon: z.string(),
  /** Entries are sorted by this number, then by path. 0 to 1000. */
  order: z.number(),
  /**
   * Whether it is shown to everyone, to signed-in visitors, or to those of them who have entered an ops token in
   * their browser. Default 'public'.
   */
  audience: z.union([RouteGuard, z.literal('operator')]).exactOptional(),
  /** A number next to the entry, for signed-in visitors. */
  badge: RouteBadge.exactOptional(),
});
export type RouteMenu = z.infer<typeof RouteMenu>;

/** A route as a release declares it in `release.json`. */
export const RouteDeclaration = z.object({
  /** Below /chatbot: one or more segments of lower-case letters, digits and hyphens: '/history'. */
  path: z.string(),
  /** The exposed module whose default export is displayed: './history'. */
  module: z.string(),
  guard: RouteGuard,
  /** Name of the page in its title and in the menu; at most 40 characters. */
  title: LocalizedText,
  /** 'plain' omits the main navigation. Default 'navigation'. */
  layout: z.enum(['navigation', 'plain']).exactOptional(),
  /** Entry in the main navigation; without it the page is only reached by links. */
  menu: RouteMenu.exactOptional(),
});
export type RouteDeclaration = z.infer<typeof RouteDeclaration>;

/** How to open a container that was not built by `defineRemote`. */
export const StandardBuild = z.object({
  /**
   * 'module': the entry is an ES module. 'script': it is a classic script that assigns the container to the
   * global variable `container`.
   */
  type: z.enum(['module', 'script']),
  /** Global array in which the chunks of a 'script' register themselves. */
  chunks: z.string().exactOptional(),
  /** Version of each library that it contains and shares with itself only, because the host has no complete one. */
  own: z.record(z.string(), z.string()),
});
export type StandardBuild = z.infer<typeof StandardBuild>;

/**
 * A file with the first state of a screen in one language as HTML, shown until the scripts run. `path` is that of a route, with the name of a
 * parameter of the query if the state depends on it ('/index?c'); of the host it is a layout, whose frame the file contains. The server
 * replaces `{{base}}` by the URL of the release's folder and `{{controls}}` by the host's controls.
 */
export const FirstState = z.object({ path: z.string(), language: z.string(), file: z.string() });
export type FirstState = z.infer<typeof FirstState>;

/**
 * POST /ops/releases, with the ops token or the remote's own release token: a build's release.json including
 * its files. Returns a `ReleaseClaim`. Then PUT /ops/releases/:id/files/<path> uploads each missing file, and
 * POST /ops/releases/:id/publish completes it with `ReleaseDetails`, or returns 409 `conflict` with the field
 * `files` while some are missing. All calls are idempotent; the same version with other content gets 409
 * `version_taken`. For a published release, `missing` lists files that were lost or corrupted since. With
 * `address` the files stay on the team's own origin (one of RELEASE_ORIGINS, with CORS): they are fetched and
 * compared with `files`, and the release is published immediately, or refused with 422 `check_failed`.
 */
export const ReleaseUpload = z.object({
  name: z.string(),
  version: z.string(),
  container: z.string(),
  contract: z.string(),
  entry: z.string(),
  entryFiles: ReleaseAssets,
  exposes: z.record(z.string(), ReleaseAssets),
  shared: z.record(z.string(), z.string()),
  /** Routes to its own modules. */
  routes: z.array(RouteDeclaration),
  /** Paths of other releases' routes that its screens link to. */
  links: z.array(z.string()).exactOptional(),
  /** Set for a build by a standard Module Federation configuration, without `defineRemote`. */
  standard: StandardBuild.exactOptional(),
  /** Host only: libraries of `shared` of which it provides a part, in the share scope `desk`. */
  facades: z.array(z.string()).exactOptional(),
  /** index.html of the host, '' for a remote. */
  template: z.string(),
  styleMarks: z.record(z.string(), z.string()),
  firstStates: z.array(FirstState).exactOptional(),
  commit: z.string().nullable(),
  files: z.array(ReleaseFileInfo.pick({ path: true, size: true, integrity: true })),
  /** Absolute, with a trailing slash. */
  address: z.string().exactOptional(),
});
export type ReleaseUpload = z.infer<typeof ReleaseUpload>;

export const ReleaseClaim = z.object({
  id: z.string(),
  /** Paths that have not been uploaded yet. */
  missing: z.array(z.string()),
  publishedAt: z.string().nullable(),
});
export type ReleaseClaim = z.infer<typeof ReleaseClaim>;

/** Query of GET /ops/releases. */
export const ReleaseQuery = PageQuery.extend({ name: z.string().min(1).max(64).optional() });

/** GET /ops/releases → `{releases, nextCursor}`, newest first. */
export const ReleaseSummary = z.object({
  /** `mfe-chat@1.4.0`. */
  id: z.string(),
  name: z.string(),
  version: z.string(),
  base: z.string(),
  contract: z.string(),
  commit: z.string().nullable(),
  /** Total size of all files in bytes. */
  size: z.number(),
  fileCount: z.number(),
  /** 'start' or the name of the token that was used; that of a token in RELEASE_TOKENS is its remote. */
  publishedBy: z.string(),
  publishedAt: z.string(),
  /** Whether it is part of the live composition or of a running canary. */
  isLive: z.boolean(),
  /** Set while it must not be selected. */
  yanked: z.object({ at: z.string(), author: z.string(), reason: z.string() }).nullable(),
});
export type ReleaseSummary = z.infer<typeof ReleaseSummary>;

/**
 * GET /ops/releases/:id. To copy a release to another server: GET /ops/releases/:id/upload is its `ReleaseUpload`,
 * and GET /ops/releases/:id/files/<path> each of its files, source maps included; with the ops token or the remote's
 * own release token.
 */
export const ReleaseDetails = ReleaseSummary.extend({
  /** SHA-256 (hex) of its content: the same digest means the same build. */
  digest: z.string(),
  entry: z.string(),
  exposes: z.record(z.string(), ReleaseAssets),
  shared: z.record(z.string(), z.string()),
  routes: z.record(z.string(), z.string()),
  standard: StandardBuild.exactOptional(),
  files: z.array(ReleaseFileInfo),
});
export type ReleaseDetails = z.infer<typeof ReleaseDetails>;

export const ReleaseUse = z.object({
  environment: z.string(),
  role: z.enum(['live', 'canary']),
  composition: z.string(),
});
export type ReleaseUse = z.infer<typeof ReleaseUse>;

/**
 * POST /ops/releases/:id/yank `{author, reason}` and /unyank → `YankedRelease`, with a token that may publish it. A
 * yanked release is not selected in any environment and no page falls back to it; what is live stays live.
 */
export const YankedRelease = z.object({
  release: z.string(),
  /** null after /unyank. */
  yanked: ReleaseSummary.shape.yanked,
  /** Where visitors get it at the moment. */
  uses: z.array(ReleaseUse),
});
export type YankedRelease = z.infer<typeof YankedRelease>;
