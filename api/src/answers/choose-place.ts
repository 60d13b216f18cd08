import type { CountedUnit } from './find-candidates.ts';
import { asksFor, tellsOf } from './kind-asked.ts';
import { allTerms } from './passage-terms.ts';
import { type Block, leavesOf, type Span } from './structure.ts';

/** A sentence, item, row or piece of code, with the block that it stands in. */
export interface Place {
  block: Block;
  leaf: Span;
  score: number;
}

/** How much of the question a stretch of text says: the weights of the units in it. */
export function says(text: string, units: readonly CountedUnit[]): number {
  const terms = new Set(allTerms(text));
  return units.reduce(
    (sum, unit) => (unit.terms.some((term) => terms.has(term)) ? sum + unit.weight : sum),
    0,
  );
}

/** What a place is worth more, as share of the whole question, when it tells the kind of thing that is asked for. */
const kindTold = 0.15;

/**
 * The places of a passage by how much of the question they say, the best first; of equals the earlier one. `asked` is the question's
 * text, '' where the kind of thing that it asks for is not to count.
 */
export function rankPlaces(
  text: string,
  blocks: readonly Block[],
  units: readonly CountedUnit[],
  asked: string,
): Place[] {
  const whole = units.reduce((sum, { weight }) => sum + weight, 0);
  const places = blocks.flatMap((block, at) =>
    leavesOf(block).map((leaf, index, leaves) => {
      const stretch = text.slice(leaf.start, leaf.end);
      const next = index === leaves.length - 1 ? blocks[at + 1] : undefined;
      const own = says(stretch, units);
      const isKind = own > 0 && tellsKind(stretch, block, next, asked);
      return { block, leaf, score: own + (isKind ? kindTold * whole : 0) };
    }),
  );
  return places.sort((one, other) => other.score - one.score);
}

function tellsKind(text: string, block: Block, next: Block | undefined, asked: string): boolean {
  if (asksFor('time', asked)) return tellsOf('time', text);
  if (asksFor('amount', asked)) return tellsOf('amount', text);
  if (!asksFor('steps', asked)) return false;
  return (block.kind === 'list' && block.ordered) || next?.kind === 'code' || next?.kind === 'list';
}
