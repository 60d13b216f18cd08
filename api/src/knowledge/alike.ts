import { analyseQuestion, type QuestionUnit } from '../answers/analyse-question.ts';
import type { Language } from '../contract.ts';

/** From this share of what both say on, two questions are the same one in other words. */
const enough = 0.8;
/** A unit of this share or more is what a question is about; less is wording, or an accident of cutting. */
const telling = 1;
/** A question is looked up by so many of its units at most. */
const mostUnits = 12;

/** What a question is about, apart once for many comparisons. */
export function unitsOf(text: string, language: Language): QuestionUnit[] {
  return analyseQuestion(text, language).units;
}

/**
 * Whether two questions are alike: nearly all that they say is the same (Dice's coefficient, as curated pairs are matched), numbers and names
 * with digits all the same, and neither says one thing where the other says another: 退货 of two makers are two questions.
 */
export function areAlike(one: readonly QuestionUnit[], other: readonly QuestionUnit[]): boolean {
  const [mine, theirs] = [without(one, other), without(other, one)];
  if ([...mine, ...theirs].some(isExact)) return false;
  if (mine.some(isTelling) && theirs.some(isTelling)) return false;
  const all = sumOf(one) + sumOf(other);
  return all > 0 && (all - sumOf(mine) - sumOf(theirs)) / all >= enough;
}

/** One term for each thing that a question is about, each once; of a question of wording alone, for that. */
export function tellingTerms(units: readonly QuestionUnit[]): string[] {
  const about = units.filter(isTelling);
  return [...new Set((about.length > 0 ? about : units).map(({ terms }) => terms[0] ?? ''))]
    .filter(Boolean)
    .slice(0, mostUnits);
}

const isTelling = ({ share }: QuestionUnit) => share >= telling;
const isExact = ({ terms }: QuestionUnit) => terms.some((term) => /\p{Nd}/u.test(term));

function without(units: readonly QuestionUnit[], others: readonly QuestionUnit[]): QuestionUnit[] {
  return units.filter((unit) => !others.some(({ terms }) => terms.some((term) => unit.terms.includes(term))));
}

function sumOf(units: readonly QuestionUnit[]): number {
  return units.reduce((sum, { share }) => sum + share, 0);
}
