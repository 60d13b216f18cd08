import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PageEvent } from '../../contract/reports.ts';
import { stepOf } from './histogram.ts';

/** Increments of fields by path: `vitals.LCP.b07`. */
export type Increments = Record<string, number>;

/** Counts of one release within one composition. */
export interface ReleaseCounts {
  composition: string;
  remote: string;
  version: string;
  /** Fields of `HealthCount`. */
  fields: Increments;
  /** Keyed by a hash of kind and text. */
  texts: Map<string, { kind: 'failure' | 'error'; error: string; count: number }>;
}

/** Counts of one part of one composition, page by page, from one group of addresses. */
export interface SlotCounts {
  composition: string;
  slot: number;
  remote: string;
  /** Fields of `PartTally`. */
  fields: Increments;
}

/** Texts of each kind per release that one process holds between two writes. */
const MAX_TEXTS = 20;

/** Counts between two writes. Memory depends on the number of known releases, not of pages. */
export function createPendingCounts() {
  let releases = new Map<string, ReleaseCounts>();
  let slots = new Map<string, SlotCounts>();

  function releaseOf(composition: string, { remote, version }: Pick<PageEvent, 'remote' | 'version'>) {
    const key = `${composition} ${remote} ${version}`;
    const fields = { loads: 0, failures: 0, errorCount: 0 };
    const counts = releases.get(key) ?? { composition, remote, version, fields, texts: new Map() };
    releases.set(key, counts);
    return counts;
  }

  function slotOf(composition: string, remote: string, slot: number): SlotCounts {
    const key = `${composition} ${remote} ${slot}`;
    const fields = { served: 0, pages: 0, failed: 0, erred: 0 };
    const counts = slots.get(key) ?? { composition, slot, remote, fields };
    slots.set(key, counts);
    return counts;
  }

  return {
    /** Adds to `reported`, the reports of the page on this release. Without `slot` the release was only a fallback. */
    add(composition: string, event: PageEvent, reported: Set<ReportKind>, slot: number | undefined): void {
      const release = releaseOf(composition, event);
      const part = slot === undefined ? undefined : slotOf(composition, event.remote, slot);
      const { kind } = event;
      if (kind === 'error') {
        count(release, 'errorCount');
        addText(release, kind, event.error);
      }
      const once: ReportKind = kind === 'vital' ? event.name : kind;
      if (reported.has(once)) return;
      const isNewPage = !reported.has('load') && !reported.has('failure');
      reported.add(once);
      if (kind === 'vital') {
        const path = `vitals.${event.name}.${stepOf(event.name, event.value)}`;
        count(release, path);
        count(part, path);
      } else if (kind === 'error') {
        count(part, 'erred');
      } else {
        count(release, kind === 'load' ? 'loads' : 'failures');
        if (isNewPage) count(part, 'pages');
      }
      if (kind === 'failure') {
        count(part, 'failed');
        addText(release, kind, event.error);
      }
    },
    /** Adds pages that were served and have had time to report. */
    addServed({ composition, version, slot, count: served, opened }: ServedPages): void {
      const host = releaseOf(composition, { remote: 'host', version });
      count(host, 'served', served);
      count(host, 'opened', opened);
      count(slotOf(composition, 'host', slot), 'served', served);
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

function count(counts: { fields: Increments } | undefined, path: string, by = 1): void {
  if (counts) counts.fields[path] = (counts.fields[path] ?? 0) + by;
}

function addText({ texts }: ReleaseCounts, kind: 'failure' | 'error', said: string): void {
  const error = scrubError(said);
  const key = createHash('sha256').update(`${kind}\n${error}`).digest('hex').slice(0, 12);
  const known = texts.get(`t${key}`);
  if (known) known.count += 1;
  else if ([...texts.values()].filter((text) => text.kind === kind).length < MAX_TEXTS)
    texts.set(`t${key}`, { kind, error, count: 1 });
}

/** Maximum number of characters stored of an error. */
const MAX_LENGTH = 500;
/** Maximum number of characters examined. */
const MAX_EXAMINED = 2000;

const ADDRESS =
  /\b([a-z][a-z0-9+.-]{1,20}):\/\/(?:[^\s/@]{1,200}@)?([^\s/?#"'()<>]{0,200})([^\s"'()<>]{0,1500})/gi;
/** IP addresses, including those of visitors. Within a URL it is a server's address. */
const IPV4 = /(?<![\w./@-])\d{1,3}(\.\d{1,3}){3}(?![\w.]*\w)/g;
const IPV6 = /(?<![\w:.[])(?=[\da-f]{0,4}:[\da-f]{0,4}:)(?=:{0,2}[a-f\d])[\da-f:]{3,39}(?![\w:])/gi;
const SECRET =
  /\b(token|password|passwd|pwd|secret|api[_-]?key|authorization|cookie|session)(\s?[=:]\s?)(?!\s)[^\s;,"']{3,200}/gi;
const LOCAL_ADDRESS = /(^|[\s"'(])(\/[^\s"'()<>?#]{1,500})([?#][^\s"'()<>]{0,1500})?/g;

/**
 * Removes everything from an error text that could identify somebody: queries, ids, tokens, IP addresses,
 * long numbers, mail addresses and quoted text that is not code (parsers quote their input). Keeps what
 * distinguishes errors: words, identifiers, files.
 */
export function scrubError(error: string): string {
  const text = error
    .slice(0, MAX_EXAMINED)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are to be removed
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    // Pages replace digits by '#': within a file name it does not start a fragment.
    .replace(/(?<=\/[\w.-]*)#(?=\w*\.m?js\b)/g, '…')
    .replace(/\b(data|blob):[^\s"')]+/gi, '$1:…')
    .replace(
      ADDRESS,
      (_, scheme: string, host: string, path: string) => `${scheme}://${host}${withoutIds(path)}`,
    )
    .replace(LOCAL_ADDRESS, (_, before: string, path: string) => before + withoutIds(path))
    .replace(/\bBearer \S+/gi, 'Bearer …')
    .replace(SECRET, '$1$2…')
    .replace(IPV4, '…')
    .replace(IPV6, '…')
    .replace(
      /([«‘「『])([^«»‘’「」『』]*)([»’」』])/g,
      (quoted, open: string, inner: string, close: string) => (isCode(inner) ? quoted : `${open}…${close}`),
    )
    .replace(/[^\s"'<>()@/]{1,64}@(?!\d+\.\d+\.\d)[\w-]+(\.[\w-]+)+/g, '…')
    .replace(/"([^"]*)"|“([^“”]*)”|`([^`]*)`/g, (quoted, ...inner: (string | undefined)[]) =>
      isCode(inner.slice(0, 3).find((text) => text !== undefined) ?? '')
        ? quoted
        : `${quoted[0]}…${quoted.at(-1)}`,
    )
    .replace(/(^|[\s(=:,])'([^']*)'(?=$|[\s).,:;])/g, (whole, before: string, inner: string) =>
      isCode(inner) ? whole : `${before}'…'`,
    )
    // Each word is scanned once: a lookahead for the digit would restart at every hyphen.
    .replace(/[\w-]{20,}/g, (word) => (/\d/.test(word) ? '…' : word))
    .replace(/\+?\d[\d -]{4,}\d/g, '…')
    .trim();
  return text.slice(0, MAX_LENGTH).toWellFormed();
}

/** A path without its query and without segments that look like ids. */
function withoutIds(path: string): string {
  return (path.split(/[?#]/, 1)[0] ?? '')
    .split('/')
    .map((segment) => (isId(segment) ? '…' : segment))
    .join('/');
}

/** Hashes in file names are not ids: they are short and precede a suffix. */
function isId(segment: string): boolean {
  return (
    /^\d{4,}$/.test(segment) ||
    /^(?=.*\d)[\w-]{16,}$/.test(segment) ||
    /%[0-9a-f]{2}/i.test(segment) ||
    (segment.includes('@') && !/^[\w.@+-]+\.\w{1,4}(:\d+)*$/.test(segment))
  );
}

/** Whether this is an identifier or a path in code rather than text of a person. */
function isCode(text: string): boolean {
  return /^[\w$.@/:#()[\]-]{0,80}$/.test(text) && !/\d{6}/.test(text);
}

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
