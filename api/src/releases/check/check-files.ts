import { LRUCache } from 'lru-cache';
import { certificateFailure } from '../../errors/certificate-failure.ts';
import { type FileStore, readStored } from '../../files/storage/file-store.ts';
import { fetchFailure, readAtMost } from '../../http/read-response.ts';
import { type Text, textsOf } from '../../i18n/texts-of.ts';
import { createTurnQueue } from '../../store/turn-queue.ts';
import { integrityOf } from '../data/canonical-hash.ts';
import type { Release, ReleaseFile } from '../data/release.ts';
import { isElsewhere, releaseKey } from '../data/release-keys.ts';
import { assignsGlobal, firstStateFaults, scriptFaults } from './content-faults.ts';
import { type ParsedModule, parseModule, parseScript } from './parse-module.ts';
import type { CheckedFile, FileFault } from './rule.ts';

const textOf = textsOf('findings');

/** Maximum number of files read or fetched concurrently by all checks of this process. */
const maxReads = 16;
const maxFetches = 8;
/** Time limit per file from another origin, in ms: a slower server would be too slow for visitors too. */
const fetchTimeoutMs = 5000;
/** Number of files whose last result is cached: a few hundred compositions. */
const remembered = 10_000;

interface CheckFilesDeps {
  files: FileStore;
  /** Origins where teams may host releases themselves. */
  releaseOrigins: readonly string[];
  /** Origin of this installation's pages. */
  pageOrigin: string;
  /** Time limit for one file of another origin, in ms. */
  fetchMs?: number;
}

/** Checks every file of `releases` at the address where browsers fetch it. */
export type CheckFiles = (releases: readonly Release[], signal: AbortSignal) => Promise<CheckedFile[]>;

/**
 * A release never changes, so files of the built-in store are read again only if their stamp has changed
 * since they were last intact. Files of other origins are fetched each time, since their servers may change.
 */
export function createCheckFiles(deps: CheckFilesDeps): CheckFiles {
  const { files, releaseOrigins, pageOrigin, fetchMs = fetchTimeoutMs } = deps;
  const reads = createTurnQueue({ max: maxReads });
  const fetches = createTurnQueue({ max: maxFetches });
  /** Stamps and contents of intact files, by key. */
  const whole = new LRUCache<string, Whole & { stamp: string }>({ max: remembered });

  async function checkStored(release: Release, file: ReleaseFile): Promise<Found> {
    const key = releaseKey(release, file.path);
    const stored = await files.open(key);
    if (!stored) return missing;
    const known = whole.get(key);
    if (known?.stamp === stored.stamp) return known;
    if (stored.size !== file.size) return altered(file, stored.size);
    const bytes = await readStored(stored);
    if (!bytes) return missing;
    if (integrityOf(bytes) !== file.integrity) return altered(file, bytes.length);
    const found = { stamp: stored.stamp, ...(await scriptIn(bytes, release, file)) };
    whole.set(key, found);
    return found;
  }

  async function checkFetched(release: Release, file: ReleaseFile, signal: AbortSignal): Promise<Found> {
    const { origin } = new URL(release.base);
    if (!releaseOrigins.includes(origin)) return foreign(origin, releaseOrigins);
    const fetched = await fetchReleaseFile(release.base + file.path, {
      origin: pageOrigin,
      maxBytes: Math.max(file.size * 2, 65_536),
      signal: AbortSignal.any([signal, AbortSignal.timeout(fetchMs)]),
    });
    if ('fault' in fetched) return { rule: 'reachable', why: fetched.fault };
    const { bytes } = fetched;
    if (integrityOf(bytes) !== file.integrity) return altered(file, bytes.length);
    return scriptIn(bytes, release, file);
  }

  async function look(release: Release, file: ReleaseFile, signal: AbortSignal): Promise<CheckedFile> {
    const [queue, check] = isElsewhere(release) ? [fetches, checkFetched] : [reads, checkStored];
    try {
      const found = await queue.run(signal, () => check(release, file, signal));
      return 'rule' in found
        ? { release, file, fault: found, module: null }
        : { release, file, fault: null, ...found };
    } catch (cause) {
      // Otherwise the store itself is unavailable, which says nothing about the composition.
      if (!signal.aborted) throw cause;
      return { release, file, fault: tooLate, module: null };
    }
  }

  return (releases, signal) =>
    Promise.all(releases.flatMap((release) => release.files.map((file) => look(release, file, signal))));
}

/** A file that is identical to the published one. */
interface Whole {
  /** Set for a script that pages load first. */
  module: ParsedModule | null;
  refused?: readonly Text[];
}

type Found = Whole | FileFault;

async function scriptIn(bytes: Buffer, release: Release, { path }: ReleaseFile): Promise<Whole> {
  const { container, entry, entryFiles, exposes, standard } = release;
  if (release.firstStates?.some(({ file }) => file === path))
    return { module: null, refused: firstStateFaults(bytes.toString('utf8'), release.base) };
  const scripts = [entry, ...entryFiles.js, ...exposes.flatMap(({ js }) => js)];
  if (!scripts.includes(path)) return { module: null };
  const source = bytes.toString('utf8');
  const isClassic = standard?.type === 'script';
  const refused = scriptFaults(source);
  if (isClassic && path === entry && !assignsGlobal(source, container))
    refused.push(textOf('no_global', { container }));
  return { module: await (isClassic ? parseScript : parseModule)(source), refused };
}

const missing: FileFault = { rule: 'reachable', why: textOf('not_stored') };
const tooLate: FileFault = { rule: 'reachable', why: textOf('not_read') };

function altered(file: ReleaseFile, size: number): FileFault {
  const expected = { size: file.size, hash: file.integrity.slice(0, 19) };
  return {
    rule: 'integrity',
    why:
      size === file.size
        ? textOf('altered_content', expected)
        : textOf('altered_size', { ...expected, actual: size }),
  };
}

function foreign(origin: string, allowed: readonly string[]): FileFault {
  return {
    rule: 'reachable',
    why: textOf('foreign_origin', { origin, allowed: allowed.join(', ') || textOf('not_set') }),
  };
}

type Fetched = { bytes: Buffer } | { fault: Text };

/** Types with which browsers run a module: https://mimesniff.spec.whatwg.org/#javascript-mime-type. */
const javaScript =
  /^(text\/(javascript|ecmascript|jscript|livescript|javascript1\.[0-5]|x-(java|ecma)script)|application\/(x-)?(java|ecma)script)$/;

/**
 * Fetches one file of a release from a team's own origin under the same conditions as a browser: no redirect,
 * CORS allowed for `origin`, correct types for JavaScript and style sheets. Never throws; the `fault` says
 * what prevents a browser from using it.
 */
async function fetchReleaseFile(
  address: string,
  { origin, maxBytes, signal }: { origin: string; maxBytes: number; signal: AbortSignal },
): Promise<Fetched> {
  try {
    const response = await fetch(address, { headers: { Origin: origin }, redirect: 'manual', signal });
    const fault = faultOf(response, address, origin);
    if (fault) {
      await response.body?.cancel();
      return { fault };
    }
    const bytes = await readAtMost(response, maxBytes);
    return bytes.length > maxBytes ? { fault: textOf('too_long', { limit: maxBytes }) } : { bytes };
  } catch (cause) {
    if (signal.aborted) return { fault: textOf('no_answer') };
    const { code, isUntrusted } = certificateFailure(cause) ?? {};
    if (code)
      return { fault: textOf(isUntrusted ? 'certificate_untrusted' : 'certificate_invalid', { code }) };
    return { fault: textOf('not_fetched', { reason: fetchFailure(cause) }) };
  }
}

function faultOf(response: Response, address: string, origin: string): Text | undefined {
  const { status, headers } = response;
  if (status !== 200) return textOf('wrong_status', { status });
  const allowed = headers.get('Access-Control-Allow-Origin');
  if (allowed !== '*' && allowed !== origin) {
    return allowed === null ? textOf('no_cors', { origin }) : textOf('other_cors', { origin, allowed });
  }
  return typeFault(new URL(address).pathname, headers.get('Content-Type') ?? '');
}

function typeFault(path: string, header: string): Text | undefined {
  const type = header.split(';', 1)[0]!.trim().toLowerCase();
  const isScript = /\.m?js$/i.test(path);
  const isRight = isScript ? javaScript.test(type) : !/\.css$/i.test(path) || type === 'text/css';
  if (isRight) return undefined;
  const expected = isScript ? 'text/javascript' : 'text/css';
  return textOf('wrong_type', { expected, type });
}
