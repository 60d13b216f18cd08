import { z } from 'zod';
import { languages } from './language.ts';
import { RouteDeclaration, StandardBuild } from './releases.ts';
import { PageDesk } from './settings.ts';

/** URLs are ready for `import()` and `<link>`: root-relative, or absolute on another origin. */
export const PageRelease = z.object({
  name: z.string(),
  version: z.string(),
  entry: z.string(),
  /** Name of the federation container: 'mfe_chat'; '' for the host. */
  container: z.string(),
  /** Version of the host contract: the one a remote was built against, or the one the host offers. */
  contract: z.string(),
  /**
   * Style sheets by exposed module: `{'./chat': {css: ['/chatbot/releases/mfe-chat/1.4.0/chat.1a2b.css']}}`, and in pages its texts in the
   * language of the page.
   */
  exposes: z.record(
    z.string(),
    z.object({
      css: z.array(z.string()),
      texts: z.partialRecord(z.enum(languages), z.array(z.string())).exactOptional(),
    }),
  ),
  /** Set for a build by a standard Module Federation configuration; `base` is the URL of its folder. */
  standard: StandardBuild.pick({ type: true, chunks: true }).extend({ base: z.string() }).exactOptional(),
});
export type PageRelease = z.infer<typeof PageRelease>;

/** The live release; `previous` is the fallback if it fails, or null. */
export const PageRemote = PageRelease.extend({ previous: PageRelease.nullable() });
export type PageRemote = z.infer<typeof PageRemote>;

/** A route of the page. `screen` is the remote's name and its module: 'mfe-records/./history'. */
export const PageRoute = RouteDeclaration.omit({ module: true }).extend({
  screen: z.templateLiteral([z.string(), '/./', z.string()]),
});
export type PageRoute = z.infer<typeof PageRoute>;

/**
 * `remote`: one remote is loaded from a developer's own server. `composition`: the page shows a composition
 * that is not live.
 */
export const PageOverride = z.object({ expiresAt: z.string() }).and(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('remote'), remote: z.string(), address: z.string() }),
    z.object({
      kind: z.literal('composition'),
      /** Of a preview that has one, such as a branch. */
      name: z.string().exactOptional(),
    }),
  ]),
);
export type PageOverride = z.infer<typeof PageOverride>;

/**
 * The JSON of index.html's `<script type="application/json" id="composition">`: the composition that the page
 * was rendered with. A tab uses it until it is reloaded. `id` is '' on a development server.
 */
export const PageComposition = z.object({
  id: z.string(),
  host: PageRemote,
  /** Keyed by remote name: 'mfe-chat'. */
  remotes: z.record(z.string(), PageRemote),
  /** The routes that the live releases declare. */
  routes: z.array(PageRoute),
  /** URLs of external pictures configured by operators; the bundled one is used if missing. */
  avatars: z.object({ user: z.string().exactOptional(), bot: z.string().exactOptional() }),
  /** Name of the environment that serves the page; missing in production. */
  environment: z.string().exactOptional(),
  /** Address of the service worker; missing if operations have switched it off. */
  worker: z.string().exactOptional(),
  /** Set if this visitor sees something other than the live composition. */
  override: PageOverride.exactOptional(),
  /** The language that the page was rendered for: the visitor's choice, otherwise the desk's default. */
  language: z.enum(languages).exactOptional(),
  /** What administrators have set; missing if nothing. Embedded, so that the first paint needs no request. */
  desk: PageDesk.exactOptional(),
});
export type PageComposition = z.infer<typeof PageComposition>;

export const ToolRelease = PageRelease.extend({
  /** `mfe-chat@1.4.0`. */
  id: z.string(),
  /** URL of its folder. */
  base: z.string(),
  commit: z.string().nullable(),
  /** The host's versions; of a remote, the ranges that it asks of the host. */
  shared: z.record(z.string(), z.string()),
  /** Versions of the libraries that a standard remote brings itself. */
  own: z.record(z.string(), z.string()),
});
export type ToolRelease = z.infer<typeof ToolRelease>;

/** GET /chatbot/composition.json: the live composition, for tools. URLs as in `PageRelease`. */
export const ToolComposition = z.object({
  id: z.string(),
  host: ToolRelease.extend({ previous: ToolRelease.nullable() }),
  /** Keyed by remote name. */
  remotes: z.record(z.string(), ToolRelease.extend({ previous: ToolRelease.nullable() })),
  routes: z.array(PageRoute),
});
export type ToolComposition = z.infer<typeof ToolComposition>;

/**
 * GET /chatbot/importmap.json: an import map of the live remotes with the integrity of every script. `mfe-chat`
 * is the entry of the remote, `mfe-chat/` its folder.
 */
export const ToolImportMap = z.object({
  imports: z.record(z.string(), z.string()),
  integrity: z.record(z.string(), z.string()),
});
export type ToolImportMap = z.infer<typeof ToolImportMap>;
