import { LRUCache } from 'lru-cache';
import { foldText } from '../../text/fold.ts';
import { numeralsIn } from '../../text/numerals.ts';
import { isPairOrCharacter, runsOf, termTexts } from '../../text/terms.ts';
import { allTerms, identifiersIn } from './passage-terms.ts';

/** Size of the cache in terms: about 2 MB. */
const maxTerms = 30_000;
const termSets = new LRUCache<string, ReadonlySet<string>>({
  maxSize: maxTerms,
  sizeCalculation: (terms) => terms.size + 1,
});

/** `allTerms` without duplicates, cached for the passages of a question. */
export function termSetOf(text: string): ReadonlySet<string> {
  const cached = termSets.get(text);
  if (cached) return cached;
  const terms = new Set(allTerms(text));
  termSets.set(text, terms);
  return terms;
}

/**
 * A function for which of `terms` are among `allTerms` of a text. Unlike all terms of a text these few are cheap to find: Chinese ones are parts of the
 * folded text, and of the others only the kinds that occur are looked for.
 */
export function termFinder(terms: readonly string[]): (text: string) => ReadonlySet<string> {
  const chinese = [...new Set(terms)].filter(isPairOrCharacter);
  const others = new Set(terms.filter((term) => !isPairOrCharacter(term)));
  const hasNumerals = [...others].some((term) => /^\p{Nd}/u.test(term));
  // Stems of words, except their last two letters: suffixes are replaced by at most these. An apostrophe is not part of a stem.
  const beginnings = [...others].map((term) => term.slice(0, Math.max(1, term.length - 2)));
  const mayBeSaid = (folded: string) =>
    /['’]/.test(folded) || beginnings.some((beginning) => folded.includes(beginning));
  const hasIdentifiers = [...others].some((term) => /[-_./:@+~\d]/.test(term));
  return (text) => {
    const folded = foldText(text);
    const found = new Set(chinese.filter((term) => folded.text.includes(term)));
    const see = (term: string) => {
      if (others.has(term)) found.add(term);
    };
    if (others.size === 0 || !(hasNumerals || mayBeSaid(folded.text))) return found;
    const runs = runsOf(text, folded);
    for (const run of runs)
      if (run.script === 'number' || (run.script === 'word' && mayBeSaid(run.text))) see(termTexts(run)[0]!);
    if (hasNumerals) for (const { value } of numeralsIn(runs)) see(value);
    if (hasIdentifiers) for (const { term } of identifiersIn(text)) see(term);
    return found;
  };
}
