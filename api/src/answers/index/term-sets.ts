import { LRUCache } from 'lru-cache';
import { fold } from '../../text/fold.ts';
import { numeralsIn } from '../../text/numerals.ts';
import { isPairOrCharacter, runsOf, stemOf, termTexts, wordsWith } from '../../text/terms.ts';
import { allTerms, identifiersIn } from './passage-terms.ts';

/** Size of the cache in terms: about 2 MB. */
const maxTerms = 30_000;
const termSets = new LRUCache<string, ReadonlySet<string>>({
  maxSize: maxTerms,
  sizeCalculation: (terms) => terms.size + 1,
});

/** `allTerms` without duplicates, cached. */
export function termSetOf(text: string): ReadonlySet<string> {
  const cached = termSets.get(text);
  if (cached) return cached;
  const terms = new Set(allTerms(text));
  termSets.set(text, terms);
  return terms;
}

/**
 * Returns a function for which of `terms` are among `allTerms` of a text, in their order. This is cheaper
 * than all terms of a text: Chinese terms are searched for in the folded text, and of other words only those
 * with the same beginning are stemmed.
 */
export function termFinder(terms: readonly string[]): (text: string) => boolean[] {
  const places = new Map<string, number[]>();
  for (const [at, term] of terms.entries()) places.set(term, [...(places.get(term) ?? []), at]);
  const isChinese = terms.map(isPairOrCharacter);
  const others = [...places.keys()].filter((term) => !isPairOrCharacter(term));
  const hasNumerals = others.some((term) => /^\p{Nd}/u.test(term));
  // A stem differs from the beginning of its words in at most its last two letters.
  const beginnings = [...new Set(others.map((term) => term.slice(0, Math.max(1, term.length - 2))))];
  const hasIdentifiers = others.some((term) => /[-_./:@+~\d]/.test(term));
  return (text) => {
    const folded = fold(text);
    const found = terms.map((term, at) => isChinese[at]! && folded.includes(term));
    if (others.length === 0) return found;
    const see = (term: string) => {
      for (const at of places.get(term) ?? []) found[at] = true;
    };
    // Numerals and words with apostrophes do not begin as their terms do.
    if (hasNumerals || /['’]/.test(folded)) {
      const runs = runsOf(text);
      for (const run of runs) if (run.script !== 'cjk') see(termTexts(run)[0]!);
      if (hasNumerals) for (const { value } of numeralsIn(runs)) see(value);
    } else
      for (const beginning of beginnings) for (const word of wordsWith(beginning, folded)) see(stemOf(word));
    if (hasIdentifiers) for (const { term } of identifiersIn(text)) see(term);
    return found;
  };
}
