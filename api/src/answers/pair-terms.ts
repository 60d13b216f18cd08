import type { Language } from '../contract.ts';
import { analyseQuestion } from './analyse-question.ts';

/** What the ways to ask a pair say, each term once: the pair is looked up by them. */
export function pairTerms(ways: readonly string[], language: Language): string[] {
  return [
    ...new Set(ways.flatMap((way) => analyseQuestion(way, language).units.flatMap(({ terms }) => terms))),
  ];
}
