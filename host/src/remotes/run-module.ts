import type { Screen, Texts } from '../contract.ts';

/** Time limit for loading a screen, or a file that a screen imports later, in ms. */
export const LOAD_TIMEOUT_MS = 5000;
/** Wait before a failed request is retried, in ms. */
export const RETRY_AFTER_MS = 300;

/** Loading took longer than the time limit. */
export class TimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`timed out after ${timeoutMs} ms`);
  }
}

/** The module was loaded, and its code has thrown an error. */
export class ModuleError extends Error {}

/** Runs a module and returns its exports. Rejects with `ModuleError`. */
export async function evaluate(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    throw Object.assign(new ModuleError(asError(error).message), { stack: asError(error).stack });
  }
}

/** Rejects with a TimeoutError if `work` takes longer. */
export function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(timeoutMs)), timeoutMs);
  });
  // A late result is harmless: none of its code has run.
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** After a module threw, the runtime may return an empty module without an error. */
export function screenOf(loaded: unknown, name: string): Screen {
  const found = (loaded as { default?: unknown } | null | undefined)?.default;
  if (typeof found !== 'function')
    throw new Error(`${name} must export a screen by default, got ${typeof found}`);
  return found as Screen;
}

/** The texts that the host loads with the screen: the export `texts` of its module. */
export function textsOf(loaded: unknown): readonly Texts<object>[] {
  return (loaded as { texts?: readonly Texts<object>[] }).texts ?? [];
}

/** True if an `import()` rejected because a file could not be loaded; browsers and bundlers use different messages. */
export function isFetchFailure(error: Error): boolean {
  const { name, message } = error;
  return (
    error instanceof TimeoutError ||
    name === 'ChunkLoadError' ||
    /dynamically imported module|importing a module script failed|loading (css )?chunk/i.test(message)
  );
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
