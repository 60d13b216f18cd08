import { LRUCache } from 'lru-cache';
/** Kinds of reports; each counts once per page and release. */
export type ReportKind = 'load' | 'failure' | 'error' | 'LCP' | 'INP' | 'CLS';

/** Number of pages remembered: a few minutes on a busy installation. */
const MAX_PAGES = 20_000;

/**
 * Remembers what pages have reported so that each page counts once. In memory, for the last 20,000 pages of
 * this process: a page that reports to several processes may count once in each.
 */
export function createPagesSeen(kept = MAX_PAGES) {
  const pages = new LRUCache<string, Map<string, Set<ReportKind>>>({ max: kept });

  return {
    /** What `page` has reported on `release` so far; to be extended by the caller. */
    reportedBy(page: string, release: string): Set<ReportKind> {
      const releases = pages.get(page) ?? new Map<string, Set<ReportKind>>();
      pages.set(page, releases);
      const reported = releases.get(release) ?? new Set<ReportKind>();
      releases.set(release, reported);
      return reported;
    },
  };
}
