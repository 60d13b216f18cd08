import {
  asError,
  BUDGET_MS,
  delay,
  RETRY_AFTER_MS,
  refetch,
  TimeoutError,
  withinBudget,
} from './run-module.ts';

/** The part of a bundler's runtime that fetches chunks. The host and each release of a remote have one of their own. */
export interface Bundle {
  /** Fetches a chunk, its script and its style sheet. Every `import()` of the bundle calls it. */
  e(chunk: string | number): Promise<unknown>;
  /** Where its files are. */
  p?: string;
  /** Name of a chunk's script. */
  u?(chunk: string): string;
  /** Name of a chunk's style sheet. */
  k?(chunk: string): string;
}

/** A chunk that a bundle needed after its first screen, and did not get. */
export interface LateFailure {
  /** The remote entry of the bundle; undefined for the host. */
  entry: string | undefined;
  chunk: string;
  error: Error;
  /** Fetches it again. Rejects, and reports nothing, when it does not load this time either. */
  retry(): Promise<void>;
  /** Resolves once the chunk has loaded, by `retry` or by another `import()`. Never rejects. */
  loaded: Promise<void>;
}

/** Chunks that did not load, by bundle: what resolves `loaded` of their failures. */
const missing = new WeakMap<Bundle, Map<string, PromiseWithResolvers<void>>>();
const entries = new WeakMap<Bundle, string>();
let listener: (failure: LateFailure) => void = () => undefined;
let initialised: Bundle | undefined;
let isOpening = false;

/**
 * From now on each chunk that the bundle imports has the time of a screen: a fetch that fails is repeated once, a fetch that hangs is
 * rejected, and what is given up is reported. Without this an `import()` that hangs never settles.
 */
export function superviseChunks(bundle: Bundle): void {
  const fetchChunk = bundle.e;
  missing.set(bundle, new Map());
  bundle.e = (chunk) => {
    if (!isOpening) return fetchLate(bundle, () => fetchChunk(chunk), String(chunk));
    // The loader tries again.
    return fetchChunk(chunk).catch(async (error: unknown) => {
      await refetchChunk(bundle, String(chunk));
      throw error;
    });
  };
}

/** Reports chunks that were given up from now on, with the same error that the `import()` rejects with. */
export function onLateFailure(report: (failure: LateFailure) => void): void {
  listener = report;
}

/** Called while a container initialises its libraries: tells which bundle it belongs to. */
export function noteInitialised(bundle: Bundle): void {
  initialised = bundle;
}

/** Runs `init` of the container at `entry`, so that failures of its bundle are put down to that entry. */
export function initialising<T>(entry: string, init: () => T): T {
  initialised = undefined;
  const result = init();
  if (initialised) entries.set(initialised, entry);
  return result;
}

/** Runs `open`, which asks a container for a screen: the loader itself limits and repeats what is fetched for that. */
export function opening<T>(open: () => T): T {
  isOpening = true;
  try {
    return open();
  } finally {
    isOpening = false;
  }
}

async function fetchLate(bundle: Bundle, fetchChunk: () => Promise<unknown>, chunk: string) {
  const fetchOnce = async () => {
    const result = await withinBudget(fetchChunk(), BUDGET_MS);
    missing.get(bundle)?.get(chunk)?.resolve();
    missing.get(bundle)?.delete(chunk);
    return result;
  };
  try {
    return await fetchOnce().catch(async (error: unknown) => {
      if (error instanceof TimeoutError) throw error;
      await delay(RETRY_AFTER_MS);
      await refetchChunk(bundle, chunk);
      return fetchOnce();
    });
  } catch (thrown) {
    const error = asError(thrown);
    const known = missing.get(bundle)?.get(chunk) ?? Promise.withResolvers<void>();
    missing.get(bundle)?.set(chunk, known);
    const retry = async () => {
      if (!(error instanceof TimeoutError)) await refetchChunk(bundle, chunk);
      await fetchOnce();
    };
    listener({ entry: entries.get(bundle), chunk, error, retry, loaded: known.promise });
    throw error;
  }
}

function refetchChunk(bundle: Bundle, chunk: string): Promise<unknown> {
  // A chunk without a style sheet has no hash for one.
  const names = [bundle.u?.(chunk), bundle.k?.(chunk)].filter(
    (name) => name && !name.includes('.undefined.'),
  );
  return Promise.all(names.map((name) => refetch((bundle.p ?? '') + name)));
}
