/** Pages of one composition that were served to one group of addresses within one second. */
export interface ServedPages {
  at: Date;
  composition: string;
  /** Version of the host. */
  version: string;
  slot: number;
  count: number;
  /** Of these, pages requested by a browser rather than, for example, a monitor. */
  opened: number;
}

/**
 * Time within which a working page has reported, in ms: it reports when the browser is idle, at most 5 s
 * after its first screen.
 */
const REPORT_TIMEOUT_MS = 15_000;

/**
 * Holds served pages until they should have reported. Memory is bounded by seconds, compositions and address
 * groups.
 */
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
    /** If reports cannot be counted, their absence means nothing. */
    clear: () => waiting.clear(),
  };
}
