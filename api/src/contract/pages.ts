/**
 * The JSON of index.html's `<script type="application/json" id="composition">`: what the page was rendered with. A tab stays on it
 * until it is reloaded. `id` is '' on a development server.
 */
export interface PageComposition {
  id: string;
  host: PageRemote;
  /** By remote name: 'mfe-chat'. */
  remotes: Record<string, PageRemote>;
  /** External pictures that operations configured; a missing one means the bundled one. */
  avatars: { user?: string; bot?: string };
  /** This visitor alone sees something else than what is live. Absent for everyone else. */
  override?: PageOverride;
}

/** `remote`: one remote comes from a developer's own server. `composition`: the page of a composition that is not live. */
export type PageOverride = { expiresAt: string } & (
  | { kind: 'remote'; remote: string; address: string }
  | { kind: 'composition' }
);

/** The live release; `previous` is the one to fall back to when it fails, null when there has been no other. */
export interface PageRemote extends PageRelease {
  previous: PageRelease | null;
}

/** Addresses are ready for `import()` and `<link>`: from the page's root, or absolute on another origin. */
export interface PageRelease {
  name: string;
  version: string;
  entry: string;
  /** The name that its federation container goes by: 'mfe_chat'; '' for the host. */
  container: string;
  /** Version of the host contract that it was built against (of the host: that it offers). */
  contract: string;
  /** Style sheets by exposed module: `{'./chat': {css: ['/chatbot/releases/mfe-chat/1.4.0/chat.1a2b.css']}}`. */
  exposes: Record<string, { css: string[] }>;
}
