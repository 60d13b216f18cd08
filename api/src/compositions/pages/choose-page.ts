import type { Context } from 'koa';
import type { PageOverride } from '../../contract/contract.ts';
import type { Live, ResolvedComposition } from '../live-composition.ts';

/** What a visitor's page is rendered with. */
export interface PageChoice {
  composition: ResolvedComposition;
  /** Tells the page that it is this visitor's alone. */
  override?: PageOverride;
}

/**
 * Decides for one visitor what the page is rendered with, where it is not simply what is live; undefined leaves it to the next.
 * May set cookies. What it rejects with is logged and counts as undefined: a page never fails for its sake.
 */
export type ChoosePage = (ctx: Context, live: Live) => Promise<PageChoice | undefined>;

/** The first answer of `choosers`, else what is live. */
export async function choosePage(
  ctx: Context,
  live: Live,
  choosers: readonly ChoosePage[],
  onFailure: (cause: unknown) => void,
): Promise<PageChoice> {
  for (const choose of choosers) {
    try {
      const choice = await choose(ctx, live);
      if (choice) return choice;
    } catch (cause) {
      onFailure(cause);
    }
  }
  return { composition: live.composition };
}
