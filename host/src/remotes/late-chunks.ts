import { asError, BUDGET_MS, delay, RETRY_AFTER_MS, TimeoutError, withinBudget } from './run-module.ts';

/** The part of a bundler's runtime that fetches chunks. The host and each release of a remote have one of their own. */
export interface Bundle {
  /** Fetches a chunk, its script and its style sheet. Every `import()` of the bundle calls it. */
  e(chunk: string | number): Promise<unknown>;
}

/** A chunk that a bundle needed after its first screen, and did not get. */
export interface LateFailure {
  /** The remote entry of the bundle; undefined for the host. */
  entry: string | undefined;
  chunk: string;
  error: Error;
}

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
  bundle.e = (chunk) => (isOpening ? fetchChunk(chunk) : fetchLate(bundle, () => fetchChunk(chunk), chunk));
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

async function fetchLate(bundle: Bundle, fetchChunk: () => Promise<unknown>, chunk: string | number) {
  try {
    return await withinBudget(fetchChunk(), BUDGET_MS).catch(async (error: unknown) => {
      if (error instanceof TimeoutError) throw error;
      await delay(RETRY_AFTER_MS);
      return withinBudget(fetchChunk(), BUDGET_MS);
    });
  } catch (thrown) {
    const error = asError(thrown);
    listener({ entry: entries.get(bundle), chunk: String(chunk), error });
    throw error;
  }
}
