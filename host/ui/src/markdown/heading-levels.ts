import type { Token } from 'marked';

/**
 * The level in the page of each heading of `tokens`, by its index: one below its parent heading, whatever levels the text skips.
 * Screen readers navigate by an outline without gaps.
 */
export function headingLevels(tokens: readonly Token[], firstLevel: number): Map<number, number> {
  const above: number[] = [];
  const levels = new Map<number, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading') continue;
    while (above.length > 0 && above.at(-1)! >= token.depth) above.pop();
    levels.set(index, Math.min(firstLevel + above.length, 6));
    above.push(token.depth);
  }
  return levels;
}
