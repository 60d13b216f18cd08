import { LRUCache } from 'lru-cache';

/** Pages of one composition that were served to one group of addresses within one second. */
export interface ServedPages {
  at: Date;
  composition: string;
  version: string;
  slot: number;
  count: number;
  /** Number of these pages that were requested by a browser rather than, for example, a monitor. */
  opened: number;
}

/** Time in which a working page reports, in ms: when idle, at most 5 s after its first screen. */
const REPORT_TIMEOUT_MS = 15_000;

/** Memory is bounded by seconds, compositions and address groups. */
export function createServedPages() {
  const waiting = new Map<string, ServedPages>();

  return {
    add(page: Omit<ServedPages, 'count' | 'opened'>, isOpened: boolean): void {
      const { at, composition, version, slot } = page;
      const key = `${Math.floor(at.getTime() / 1000)} ${composition} ${version} ${slot}`;
      const known = waiting.get(key);
      const pages = known ?? { ...page, count: 0, opened: 0 };
      pages.count += 1;
      if (isOpened) pages.opened += 1;
      waiting.set(key, pages);
    },
    /** Removes and returns the pages that should have reported by now. */
    takeDue(now: Date): ServedPages[] {
      const due = [...waiting].filter(([, { at }]) => now.getTime() - at.getTime() >= REPORT_TIMEOUT_MS);
      for (const [key] of due) waiting.delete(key);
      return due.map(([, pages]) => pages);
    },
    isEmpty: () => waiting.size === 0,
    /** Called when reports cannot be counted: missing reports then mean nothing. */
    clear: () => waiting.clear(),
  };
}

/** Kinds of reports; each counts once per page and release. */
export type ReportKind = 'load' | 'failure' | 'error' | 'LCP' | 'INP' | 'CLS';

/** Number of pages remembered: a few minutes on a busy installation. */
const MAX_PAGES = 20_000;

/** Each page counts once in a process: it remembers the last 20,000. */
export function createPagesSeen() {
  const pages = new LRUCache<string, Map<string, Set<ReportKind>>>({ max: MAX_PAGES });

  return {
    /** Reports of `page` on `release` so far; the caller adds to them. */
    reportedBy(page: string, release: string): Set<ReportKind> {
      const releases = pages.get(page) ?? new Map<string, Set<ReportKind>>();
      pages.set(page, releases);
      const reported = releases.get(release) ?? new Set<ReportKind>();
      releases.set(release, reported);
      return reported;
    },
  };
}
