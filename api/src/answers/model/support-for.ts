import { allTerms } from '../index/passage-terms.ts';
import { leavesOf, type Span, structureOf } from '../index/structure.ts';
import type { PassageText } from '../retrieve/places.ts';

/** The sentence, item or row of `passage` most similar to the last sentence of `shown`, which a citation follows. */
export function supportFor(passage: PassageText, shown: string): Span {
  const said = new Set(allTerms(lastSentence(shown)));
  const leaves = structureOf(passage.text).flatMap(leavesOf);
  let best: { leaf: Span; shared: number } = {
    leaf: leaves[0] ?? { start: 0, end: passage.text.length },
    shared: 0,
  };
  for (const leaf of leaves) {
    const terms = new Set(allTerms(passage.text.slice(leaf.start, leaf.end)));
    const shared = [...terms].filter((term) => said.has(term)).length / Math.sqrt(terms.size || 1);
    if (shared > best.shared) best = { leaf, shared };
  }
  return best.leaf;
}

function lastSentence(text: string): string {
  const sentences = text.slice(-300).split(/[。！？\n]|[.!?]\s/);
  return sentences.filter((part) => part.trim() !== '').at(-1) ?? '';
}
