import { LRUCache } from 'lru-cache';
import { allTerms } from './passage-terms.ts';

/** What `termSetOf` keeps, in terms: some 20 MB. */
const mostTerms = 300_000;
const termSets = new LRUCache<string, ReadonlySet<string>>({
  maxSize: mostTerms,
  sizeCalculation: (terms) => terms.size + 1,
});

/** `allTerms` without duplicates. Sentences of passages that are read often are not taken apart each time. */
export function termSetOf(text: string): ReadonlySet<string> {
  const known = termSets.get(text);
  if (known) return known;
  const terms = new Set(allTerms(text));
  termSets.set(text, terms);
  return terms;
}
