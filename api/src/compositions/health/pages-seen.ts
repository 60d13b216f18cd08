/** What a page can tell once of one release. */
export type Told = 'load' | 'failure' | 'error' | 'LCP' | 'INP' | 'CLS';

/** Pages that are remembered: some minutes' worth of a busy desk. */
const KEPT = 20_000;

/**
 * Remembers what pages have told, so that of one page each counts once. It is this process's own memory, of the last 20,000 pages: a
 * page whose reports reach several processes may count once in each.
 */
export function createPagesSeen(kept = KEPT) {
  const pages = new Map<string, Map<string, Set<Told>>>();

  return {
    /** What `page` has told of `release` so far; to be added to. */
    toldBy(page: string, release: string): Set<Told> {
      const releases = pages.get(page) ?? new Map<string, Set<Told>>();
      pages.delete(page);
      pages.set(page, releases);
      if (pages.size > kept) pages.delete(pages.keys().next().value ?? '');
      const told = releases.get(release) ?? new Set<Told>();
      releases.set(release, told);
      return told;
    },
  };
}

export type PagesSeen = ReturnType<typeof createPagesSeen>;
