import { chineseStopWords } from '../text/stop-words.ts';
import { type Run, runsOf, termsOfRun } from '../text/terms.ts';
import { isStopRun, pairsIn, segmenter, type TermGroup } from './analyse-question.ts';
import type { Candidates } from './find-candidates.ts';

/** A content word of a question. */
export interface AskedWord {
  surface: string;
  /** How it can be said: as it is, or as other regions call it. */
  groups: readonly Pick<TermGroup, 'terms'>[];
  /** Inverse document frequency of its rarest term. */
  weight: number;
}

/** A question with what its words weigh. */
export type AskedQuestion = Pick<Candidates, 'text' | 'units' | 'words' | 'characters'>;

const stopWords: ReadonlySet<string> = new Set(chineseStopWords);

/** The content words of a question, in order: whole words, unlike its units, which are pairs of characters in Chinese. */
export function askedWords({ text, units, words, characters }: AskedQuestion): AskedWord[] {
  const weights = new Map([...characters, ...words].map(({ term, weight }) => [term, weight]));
  // Units know how often private passages say them.
  for (const { groups, weight, share } of units)
    for (const term of share > isWhole ? groups[0]!.terms : []) weights.set(term, weight / share);
  const regional = new Map(units.map(({ surface, groups }) => [surface, groups]));
  return runsOf(text)
    .flatMap(wordsOfRun)
    .map(({ surface, terms }) => ({
      surface,
      groups: regional.get(surface) ?? [{ terms }],
      weight: Math.max(...terms.map((term) => weights.get(term) ?? 0)),
    }));
}

/** Units of a smaller share are accidents of cutting Chinese. */
const isWhole = 0.5;

/** Share of a word's terms that are among `terms`, 0–1. */
export function saidShare({ groups }: AskedWord, terms: ReadonlySet<string>): number {
  return Math.max(
    ...groups.map((group) => group.terms.filter((term) => terms.has(term)).length / group.terms.length),
  );
}

function wordsOfRun(run: Run): { surface: string; terms: string[] }[] {
  if (run.script === 'cjk')
    return [...segmenter.segment(run.text)]
      .filter(({ segment }) => !stopWords.has(segment) && ![...segment].every((one) => stopWords.has(one)))
      .map(({ segment }) => ({ surface: segment, terms: pairsIn(segment) }));
  return isStopRun(run) ? [] : [{ surface: run.text, terms: termsOfRun(run).map(({ term }) => term) }];
}
