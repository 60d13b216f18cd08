import type { Language } from 'api/contract/language';
import type { PageComposition, PageRelease } from 'api/contract/pages';

/** One build of a remote, as listed in the page's composition. */
export interface Release {
  /** '1.4.0' or '1.4.0+9c1f44a0'. */
  version: string;
  /** Address of the remote entry, an ES module. */
  entry: string;
  /** Style sheets and texts of each exposed module, by './chat'. */
  exposes?: PageRelease['exposes'];
  /** Name of its container. */
  container?: string;
  /** Version of the host contract that it was built for. */
  contract?: string;
  /** Set if it was not built by `defineRemote`. */
  standard?: PageRelease['standard'];
}

export interface RemoteReleases extends Release {
  /** The release that this tab falls back to. */
  previous?: Release | null;
}

/** The releases that this page was rendered with. The tab uses them until it is reloaded. */
export interface Composition {
  /** '' on a development page. */
  id: string;
  host: { version: string; entry?: string };
  /** Releases by name of the remote, such as 'mfe-chat'. */
  remotes: Record<string, RemoteReleases>;
  /** The routes declared by the live releases. Missing on pages of an API before 1.5. */
  routes?: PageComposition['routes'];
  /** External pictures, where operations configured them. */
  avatars?: { user?: string; bot?: string };
  /** What administrators have set; missing if that is nothing, and on pages of an older API. */
  desk?: PageComposition['desk'];
  /** The language that the server has assumed: the visitor's choice, otherwise the desk's. Missing on pages of an older API. */
  language?: Language;
  /** Address of the service worker; missing if operations have switched it off, and on pages of an older API. */
  worker?: string;
  /** Set if this visitor sees other releases than the live ones. */
  override?: PageComposition['override'];
}

/**
 * Reads `<script type="application/json" id="composition">`. A missing or invalid composition reads as empty: the frame is then shown, and
 * every screen reports that it is unavailable.
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
      desk,
      language,
      worker,
    } = JSON.parse(text ?? '{}');
    return { id, host, remotes, routes, avatars, override, desk, language, worker };
  } catch {
    return { id: '', host: { version: '' }, remotes: {} };
  }
}
