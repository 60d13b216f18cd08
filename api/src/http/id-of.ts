import type { DeskContext } from './desk-state.ts';

/** The `:id` of the path of a request. */
export function idOf(ctx: DeskContext): string {
  return ctx.params.id ?? '';
}
