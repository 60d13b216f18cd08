import type { Screen } from '../contract.ts';

/** It did not come in time. */
export class OverBudget extends Error {
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

/** Rejects with OverBudget when `work` takes longer. */
export function withinBudget<T>(work: Promise<T>, budgetMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OverBudget(budgetMs)), budgetMs);
  });
  // A late arrival does no harm: nothing of it runs.
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** After a module that threw, the runtime may "succeed" with nothing in it. */
export function screenIn(loaded: unknown, name: string): Screen {
  const found = (loaded as { default?: unknown } | null | undefined)?.default;
  if (typeof found !== 'function')
    throw new Error(`${name} must export a screen by default, got ${typeof found}`);
  return found as Screen;
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
