import { LRUCache } from 'lru-cache';
import { allTerms } from './passage-terms.ts';

/** Size of the cache in terms: about 20 MB. */
const maxTerms = 300_000;
const termSets = new LRUCache<string, ReadonlySet<string>>({
  maxSize: maxTerms,
  sizeCalculation: (terms) => terms.size + 1,
});

/** `allTerms` without duplicates, cached for the sentences of passages that are read often. */
export function termSetOf(text: string): ReadonlySet<string> {
  const cached = termSets.get(text);
  if (cached) return cached;
  const terms = new Set(allTerms(text));
  termSets.set(text, terms);
  return terms;
}
