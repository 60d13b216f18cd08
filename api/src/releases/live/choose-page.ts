import type { Context } from 'koa';
import type { PageOverride } from '../../contract/pages.ts';
import type { Live, ResolvedComposition } from './live-composition.ts';

/** What a visitor's page is rendered with. */
export interface PageChoice {
  composition: ResolvedComposition;
  /** Marks the page as a preview for this visitor only. */
  override?: PageOverride;
  /** Address of a page that the visitor has to answer first: nothing else is sent. */
  confirmAt?: string;
}

/**
 * Decides what one visitor's page is rendered with if not the live composition; undefined defers to the next
 * function. May set cookies. A rejection is logged and counts as undefined, so that it never breaks a page.
 */
export type ChoosePage = (ctx: Context, live: Live) => Promise<PageChoice | undefined>;

/** The first result of `choosers`, otherwise the live composition. */
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
