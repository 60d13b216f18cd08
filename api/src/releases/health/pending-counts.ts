import { createHash } from 'node:crypto';
import type { PageEvent } from '../../contract/reports.ts';
import type { PartTally } from '../data/canary-tally.ts';
import { added, stepOf } from './histogram.ts';
import type { ReportKind, ServedPages } from './served-pages.ts';

/** Counts of one release within one composition. */
export interface ReleaseCounts {
  composition: string;
  remote: string;
  version: string;
  /** Host only: pages that were served. */
  served: number;
  /** Number of these pages that a browser opened. */
  opened: number;
  loads: number;
  failures: number;
  errors: number;
  vitals: PartTally['vitals'];
  /** Keyed by a hash of kind and text. */
  texts: Map<string, { kind: 'failure' | 'error'; error: string; count: number }>;
}

/** Counts of one part of one composition, page by page, from one group of addresses. */
export interface SlotCounts extends PartTally {
  composition: string;
  slot: number;
  remote: string;
}

/** Texts of each kind per release that one process holds between two writes. */
const MAX_TEXTS = 20;

/** Counts between two writes. Memory depends on the number of known releases, not of pages. */
export function createPendingCounts() {
  let releases = new Map<string, ReleaseCounts>();
  let slots = new Map<string, SlotCounts>();

  function releaseOf(composition: string, { remote, version }: Pick<PageEvent, 'remote' | 'version'>) {
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
    /** Adds to `reported`, the reports of the page on this release. Without `slot` the release was only a fallback. */
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

function count(vitals: ReleaseCounts['vitals'], { name, value }: Extract<PageEvent, { kind: 'vital' }>) {
  vitals[name] = added([vitals[name] ?? {}, { [stepOf(name, value)]: 1 }]);
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
