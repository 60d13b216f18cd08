import type { Token } from 'marked';

/** The page has its h1, and an h2 above every answer. */
export const FIRST_LEVEL = 3;

/**
 * The level at which each heading of `tokens` stands in the page, by its place: one deeper than the heading it belongs to, however many
 * an answer leaves out. An outline without gaps is what screen readers go by.
 */
export function headingLevels(tokens: readonly Token[]): Map<number, number> {
  const above: number[] = [];
  const levels = new Map<number, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading') continue;
    while (above.length > 0 && above.at(-1)! >= token.depth) above.pop();
    levels.set(index, Math.min(FIRST_LEVEL + above.length, 6));
    above.push(token.depth);
  }
  return levels;
}
