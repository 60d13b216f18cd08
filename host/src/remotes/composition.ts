import type { PageComposition, PageRelease } from 'api/contract/pages';

/** One build of a remote, as listed in the page's composition. Pages of an older API, and development pages, lack some fields. */
export type Release = Pick<PageRelease, 'version' | 'entry'> & Partial<PageRelease>;

/** The live release; `previous` is the one that this tab falls back to. */
export type RemoteReleases = Release & { previous?: Release | null };

/**
 * The releases that this page was rendered with. The tab uses them until it is reloaded. `id` is '' on a development page. Pages of an older
 * API lack some fields.
 */
export type Composition = Partial<Omit<PageComposition, 'host' | 'remotes'>> & {
  id: string;
  host: { version: string; entry?: string };
  /** By name of the remote, such as 'mfe-chat'. */
  remotes: Record<string, RemoteReleases>;
};

/**
 * Reads `<script type="application/json" id="composition">`. A missing or invalid composition reads as empty: the frame is then shown, and
 * every screen reports that it is unavailable.
 */
export function readComposition(page: Document): Composition {
  const empty = { id: '', host: { version: '' }, remotes: {} };
  try {
    return { ...empty, ...JSON.parse(page.getElementById('composition')?.textContent ?? '') };
  } catch {
    return empty;
  }
}
