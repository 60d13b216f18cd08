import type { Language } from './language.ts';
import type { RouteDeclaration, StandardBuild } from './releases.ts';
import type { PageDesk } from './settings.ts';

/**
 * The JSON of index.html's `<script type="application/json" id="composition">`: the composition that the page
 * was rendered with. A tab uses it until it is reloaded. `id` is '' on a development server.
 */
export interface PageComposition {
  id: string;
  host: PageRemote;
  /** Keyed by remote name: 'mfe-chat'. */
  remotes: Record<string, PageRemote>;
  /** The routes that the live releases declare. */
  routes: PageRoute[];
  /** URLs of external pictures configured by operators; the bundled one is used if missing. */
  avatars: { user?: string; bot?: string };
  /** Name of the environment that serves the page; missing in production. */
  environment?: string;
  /** Set if this visitor sees something other than the live composition. */
  override?: PageOverride;
  /** The language that the page was rendered for: the visitor's choice, otherwise the desk's default. */
  language?: Language;
  /** What administrators have set; missing if nothing. Embedded, so that the first paint needs no request. */
  desk?: PageDesk;
}

/** A route of the page. `screen` is the remote's name and its module: 'mfe-records/./history'. */
export interface PageRoute extends Omit<RouteDeclaration, 'module'> {
  screen: `${string}/./${string}`;
}

/**
 * `remote`: one remote is loaded from a developer's own server. `composition`: the page shows a composition
 * that is not live.
 */
export type PageOverride = { expiresAt: string } & (
  | { kind: 'remote'; remote: string; address: string }
  | {
      kind: 'composition';
      /** Of a preview that has one, such as a branch. */
      name?: string;
    }
);

/** The live release; `previous` is the fallback if it fails, or null. */
export interface PageRemote extends PageRelease {
  previous: PageRelease | null;
}

/** GET /chatbot/composition.json: the live composition, for tools. URLs as in `PageRelease`. */
export interface ToolComposition {
  id: string;
  host: ToolRelease & { previous: ToolRelease | null };
  /** Keyed by remote name. */
  remotes: Record<string, ToolRelease & { previous: ToolRelease | null }>;
  routes: PageRoute[];
}

export interface ToolRelease extends PageRelease {
  /** `mfe-chat@1.4.0`. */
  id: string;
  /** URL of its folder. */
  base: string;
  commit: string | null;
  /** The host's versions; of a remote, the ranges that it asks of the host. */
  shared: Record<string, string>;
  /** Versions of the libraries that a standard remote brings itself. */
  own: Record<string, string>;
}

/**
 * GET /chatbot/importmap.json: an import map of the live remotes with the integrity of every script. `mfe-chat`
 * is the entry of the remote, `mfe-chat/` its folder.
 */
export interface ToolImportMap {
  imports: Record<string, string>;
  integrity: Record<string, string>;
}

/** URLs are ready for `import()` and `<link>`: root-relative, or absolute on another origin. */
export interface PageRelease {
  name: string;
  version: string;
  entry: string;
  /** Name of the federation container: 'mfe_chat'; '' for the host. */
  container: string;
  /** Version of the host contract: the one a remote was built against, or the one the host offers. */
  contract: string;
  /**
   * Style sheets by exposed module: `{'./chat': {css: ['/chatbot/releases/mfe-chat/1.4.0/chat.1a2b.css']}}`, and in pages its texts in the
   * language of the page.
   */
  exposes: Record<string, { css: string[]; texts?: Partial<Record<Language, string[]>> }>;
  /** Set for a build by a standard Module Federation configuration; `base` is the URL of its folder. */
  standard?: Pick<StandardBuild, 'type' | 'chunks'> & { base: string };
}
