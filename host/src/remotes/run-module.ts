import type { Screen } from '../contract.ts';

/** Time for a screen, or for a file that a screen imports later, to load, in ms. */
export const BUDGET_MS = 5000;
/** Time before a failed fetch is repeated, in ms. */
export const RETRY_AFTER_MS = 300;

/** The fetch took longer than its budget. */
export class TimeoutError extends Error {
  constructor(budgetMs: number) {
    super(`did not come within ${budgetMs} ms`);
  }
}

/** The module came, and its code threw. */
export class Thrown extends Error {}

/** What a module gives that is run now. */
export async function evaluated(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    throw Object.assign(new Thrown(asError(error).message), { stack: asError(error).stack });
  }
}

/** Rejects with a TimeoutError when `work` takes longer. */
export function withinBudget<T>(work: Promise<T>, budgetMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(budgetMs)), budgetMs);
  });
  // A late arrival does no harm: nothing of it runs.
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/**
 * Replaces what the browser's cache has of a file: addresses are cached for good, so a file that came broken once would stay so. Never
 * rejects, as what fails here fails again where the file is needed.
 */
export async function refetch(url: string): Promise<void> {
  try {
    const response = await fetch(url, { cache: 'reload', signal: AbortSignal.timeout(BUDGET_MS) });
    await response.arrayBuffer();
  } catch {}
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** After a module that threw, the runtime may "succeed" with nothing in it. */
export function screenIn(loaded: unknown, name: string): Screen {
  const found = (loaded as { default?: unknown } | null | undefined)?.default;
  if (typeof found !== 'function')
    throw new Error(`${name} must export a screen by default, got ${typeof found}`);
  return found as Screen;
}

/** Whether an `import()` rejected with it because a file did not come; each browser and each bundler has words of its own. */
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
