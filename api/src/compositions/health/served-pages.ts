/** Pages of one composition that were sent to one group of addresses within one second. */
export interface ServedPages {
  at: Date;
  composition: string;
  /** Version of the host. */
  version: string;
  slot: number;
  count: number;
  /** Those of them that a browser asked for, rather than a monitor, say. */
  opened: number;
}

/** A page that works has reported by then, in ms: it does so when the browser is idle, 5 s after its first screen at the latest. */
export const REPORTS_WITHIN = 15_000;

/** Pages that were sent and have had no time to report yet. What it holds is bounded by seconds, compositions and groups of addresses. */
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
    /** Those that have had their time, once. */
    takeDue(now: Date): ServedPages[] {
      const due = [...waiting].filter(([, { at }]) => now.getTime() - at.getTime() >= REPORTS_WITHIN);
      for (const [key] of due) waiting.delete(key);
      return due.map(([, pages]) => pages);
    },
    isEmpty: () => waiting.size === 0,
    /** Where reports cannot be counted, nothing follows from their absence. */
    clear: () => waiting.clear(),
  };
}
