import { refetch, renewModule } from './import-module.ts';
import { asError, delay, LOAD_TIMEOUT_MS, RETRY_AFTER_MS, TimeoutError, withTimeout } from './run-module.ts';

/** The part of a bundler's runtime that loads chunks. The host and each release of a remote have their own. */
export interface Bundle {
  /** Loads the script and the style sheet of a chunk. Called by every `import()` of the bundle. */
  e(chunk: string | number): Promise<unknown>;
  /** Base address of its files. */
  p?: string;
  /** Name of a chunk's script. */
  u?(chunk: string): string;
  /** Name of a chunk's style sheet. */
  k?(chunk: string): string;
}

/** A chunk that failed to load after the first screen of its bundle. */
export interface LateFailure {
  /** The remote entry of the bundle; undefined for the host. */
  entry: string | undefined;
  chunk: string;
  error: Error;
  /** Loads it again. Rejects without another report if it fails. */
  retry(): Promise<void>;
  /** Resolves when the chunk has loaded, by `retry` or by another `import()`. Never rejects. */
  loaded: Promise<void>;
}

/** The chunks that failed to load, by bundle, with the resolvers of their `loaded` promises. */
const missing = new WeakMap<Bundle, Map<string, PromiseWithResolvers<void>>>();
const entries = new WeakMap<Bundle, string>();
let listener: (failure: LateFailure) => void = () => undefined;
let initialised: Bundle | undefined;
let isOpening = false;

/** Adds a timeout, one retry and a report to every chunk, because an `import()` whose download stops never settles. */
export function superviseChunks(bundle: Bundle): void {
  const fetchOnce = bundle.e;
  const failed = new Set<string>();
  missing.set(bundle, new Map());
  const fetchChunk = async (chunk: string | number) => {
    const name = String(chunk);
    if (failed.has(name)) await renewChunk(bundle, name);
    try {
      return await fetchOnce(chunk);
    } catch (error) {
      failed.add(name);
      throw error;
    }
  };
  // Chunks of a screen that is being opened are retried by the loader.
  bundle.e = (chunk) =>
    isOpening ? fetchChunk(chunk) : fetchLate(bundle, () => fetchChunk(chunk), String(chunk));
}

/** Sets the listener for chunks that failed, which receives the error that the `import()` rejects with. */
export function onLateFailure(report: (failure: LateFailure) => void): void {
  listener = report;
}

/** Called while a container initialises its libraries: identifies its bundle. */
export function noteInitialised(bundle: Bundle): void {
  initialised = bundle;
}

/** Runs `init` of the container at `entry` and assigns later failures of its bundle to that entry. */
export function initContainer<T>(entry: string, init: () => T): T {
  initialised = undefined;
  const result = init();
  if (initialised) entries.set(initialised, entry);
  return result;
}

/** Runs `open`, which requests a screen from a container. The loader has its own timeout and retries for these chunks. */
export function openScreen<T>(open: () => T): T {
  isOpening = true;
  try {
    return open();
  } finally {
    isOpening = false;
  }
}

async function fetchLate(bundle: Bundle, fetchChunk: () => Promise<unknown>, chunk: string) {
  const fetchOnce = async () => {
    const result = await withTimeout(fetchChunk(), LOAD_TIMEOUT_MS);
    missing.get(bundle)?.get(chunk)?.resolve();
    missing.get(bundle)?.delete(chunk);
    return result;
  };
  try {
    return await fetchOnce().catch(async (error: unknown) => {
      if (error instanceof TimeoutError) throw error;
      await delay(RETRY_AFTER_MS);
      return fetchOnce();
    });
  } catch (thrown) {
    const error = asError(thrown);
    const known = missing.get(bundle)?.get(chunk) ?? Promise.withResolvers<void>();
    missing.get(bundle)?.set(chunk, known);
    const retry = async () => void (await fetchOnce());
    listener({ entry: entries.get(bundle), chunk, error, retry, loaded: known.promise });
    throw error;
  }
}

/** Loads the files of a chunk that failed again; the bundle then imports its script from its new address. */
async function renewChunk(bundle: Bundle, chunk: string): Promise<void> {
  const { p: base = '', u: scriptOf, k: styleOf } = bundle;
  // The name of a file that the chunk does not have contains 'undefined' instead of a hash.
  const [script, style] = [scriptOf?.(chunk), styleOf?.(chunk)].map((name) =>
    name?.includes('.undefined.') ? undefined : name?.replace(/#.*/, ''),
  );
  if (style) await refetch(base + style);
  if (!script) return;
  const renewed = (await renewModule(base + script)).slice(base.length);
  bundle.u = (other) => (other === chunk ? renewed : (scriptOf?.(other) ?? ''));
}
