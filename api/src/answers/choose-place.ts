import type { CountedUnit } from './find-candidates.ts';
import { type Block, leavesOf, type Span } from './structure.ts';
import { termSetOf } from './term-sets.ts';

/** A sentence, item, row or piece of code, with the block that it stands in. */
export interface Place {
  block: Block;
  leaf: Span;
  score: number;
}

/** How much of the question a stretch of text says: the weights of the units in it. */
export function says(text: string, units: readonly CountedUnit[]): number {
  const terms = termSetOf(text);
  return units.reduce(
    (sum, unit) => (unit.terms.some((term) => terms.has(term)) ? sum + unit.weight : sum),
    0,
  );
}

/** The places of a passage by how much of the question they say, the best first; of equals the earlier one. */
export function rankPlaces(text: string, blocks: readonly Block[], units: readonly CountedUnit[]): Place[] {
  const places = blocks.flatMap((block) =>
    leavesOf(block).map((leaf) => ({ block, leaf, score: says(text.slice(leaf.start, leaf.end), units) })),
  );
  return places.sort((one, other) => other.score - one.score);
}
