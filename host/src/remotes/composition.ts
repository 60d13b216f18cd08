import type { PageComposition } from 'api/contract/pages';

/** One build of one remote, as the page names it. */
export interface Release {
  /** '1.4.0' or '1.4.0+9c1f44a0'. */
  version: string;
  /** Address of the remote entry, an ES module. */
  entry: string;
  /** Style sheets of each exposed module, by './chat'. */
  exposes?: Record<string, { css: string[] }>;
}

export interface RemoteReleases extends Release {
  /** What the remote falls back to in this tab. */
  previous?: Release | null;
}

/** Which release of everything this page was rendered with. The tab stays on it until it is reloaded. */
export interface Composition {
  /** '' on a development page. */
  id: string;
  host: { version: string; entry?: string };
  /** By the remote's name, 'mfe-chat'. */
  remotes: Record<string, RemoteReleases>;
  /** What the live releases declare. Absent on pages of an API of before 1.5. */
  routes?: PageComposition['routes'];
  /** External pictures, where operations configured them. */
  avatars?: { user?: string; bot?: string };
  /** This visitor alone sees something else than what is live. */
  override?: PageComposition['override'];
}

/**
 * Reads `<script type="application/json" id="composition">`. A page without a readable one gets an empty composition: the frame
 * then stands, and every screen says that it cannot be opened.
 */
export function readComposition(page: Document): Composition {
  const text = page.getElementById('composition')?.textContent;
  try {
    const {
      id = '',
      host = { version: '' },
      remotes = {},
      routes = [],
      avatars = {},
      override,
    } = JSON.parse(text ?? '{}');
    return { id, host, remotes, routes, avatars, override };
  } catch {
    return { id: '', host: { version: '' }, remotes: {} };
  }
}
