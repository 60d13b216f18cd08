import { createHash } from 'node:crypto';
import type { PageEvent, VitalName } from '../../contract/reports.ts';
import { added, stepOf } from './histogram.ts';
import { scrubError } from './scrub-error.ts';
import type { ReportKind, ServedPages } from './served-pages.ts';

/** Counts of one release within one composition. */
export interface ReleaseCounts {
  composition: string;
  remote: string;
  version: string;
  /** Host only: pages that were served. */
  served: number;
  /** Of these, pages that a browser opened. */
  opened: number;
  loads: number;
  failures: number;
  errors: number;
  vitals: Partial<Record<VitalName, Record<string, number>>>;
  /** Keyed by a hash of kind and text. */
  texts: Map<string, { kind: 'failure' | 'error'; error: string; count: number }>;
}

/** Counts of one part of one composition, page by page, from one group of addresses. */
export interface SlotCounts {
  composition: string;
  slot: number;
  remote: string;
  served: number;
  pages: number;
  failed: number;
  erred: number;
  vitals: Partial<Record<VitalName, Record<string, number>>>;
}

/** Texts of each kind per release that one process holds between two writes. */
const MAX_TEXTS = 20;

/** Counts between two writes. Memory depends on the number of known releases, not of pages. */
export function createPendingCounts() {
  let releases = new Map<string, ReleaseCounts>();
  let slots = new Map<string, SlotCounts>();

  function releaseOf(
    composition: string,
    { remote, version }: Pick<PageEvent, 'remote' | 'version'>,
  ): ReleaseCounts {
    const key = `${composition} ${remote} ${version}`;
    const known = releases.get(key);
    if (known) return known;
    const counts = { served: 0, opened: 0, loads: 0, failures: 0, errors: 0, vitals: {}, texts: new Map() };
    const made = { composition, remote, version, ...counts };
    releases.set(key, made);
    return made;
  }

  function slotOf(composition: string, remote: string, slot: number): SlotCounts {
    const key = `${composition} ${remote} ${slot}`;
    const none = { served: 0, pages: 0, failed: 0, erred: 0, vitals: {} };
    const made = slots.get(key) ?? { composition, slot, remote, ...none };
    slots.set(key, made);
    return made;
  }

  return {
    /** Extends `reported`, what the page said of this release. Without `slot` it is only a fallback. */
    add(composition: string, event: PageEvent, reported: Set<ReportKind>, slot: number | undefined): void {
      const release = releaseOf(composition, event);
      const part = slot === undefined ? undefined : slotOf(composition, event.remote, slot);
      const once: ReportKind = event.kind === 'vital' ? event.name : event.kind;
      const isFirst = !reported.has(once);
      if (event.kind === 'error') {
        release.errors += 1;
        addText(release, 'error', event.error);
      }
      if (!isFirst) return;
      const isNewPage = !reported.has('load') && !reported.has('failure');
      reported.add(once);
      if (event.kind === 'load') release.loads += 1;
      if (event.kind === 'failure') {
        release.failures += 1;
        addText(release, 'failure', event.error);
      }
      if (event.kind === 'vital') count(release.vitals, event);
      if (!part) return;
      if (isNewPage && (event.kind === 'load' || event.kind === 'failure')) part.pages += 1;
      if (event.kind === 'failure') part.failed += 1;
      if (event.kind === 'error') part.erred += 1;
      if (event.kind === 'vital') count(part.vitals, event);
    },
    /** Adds pages that were served and have had time to report. */
    addServed({ composition, version, slot, count, opened }: ServedPages): void {
      const host = releaseOf(composition, { remote: 'host', version });
      host.served += count;
      host.opened += opened;
      slotOf(composition, 'host', slot).served += count;
    },
    /** Returns and resets everything since the last call. */
    take(): { releases: ReleaseCounts[]; slots: SlotCounts[] } {
      const taken = { releases: [...releases.values()], slots: [...slots.values()] };
      releases = new Map();
      slots = new Map();
      return taken;
    },
  };
}

function addText({ texts }: ReleaseCounts, kind: 'failure' | 'error', said: string): void {
  const error = scrubError(said);
  const key = createHash('sha256').update(`${kind}\n${error}`).digest('hex').slice(0, 12);
  const known = texts.get(`t${key}`);
  if (known) known.count += 1;
  else if ([...texts.values()].filter((text) => text.kind === kind).length < MAX_TEXTS)
    texts.set(`t${key}`, { kind, error, count: 1 });
}

function count(
  vitals: ReleaseCounts['vitals'],
  { name, value }: Extract<PageEvent, { kind: 'vital' }>,
): void {
  vitals[name] = added([vitals[name] ?? {}, { [stepOf(name, value)]: 1 }]);
}
