import type { Language } from '../contract.ts';
import type { KnowledgePassage } from '../models/passage.ts';
import { type AnalysedQuestion, analyseQuestion, type QuestionUnit } from './analyse-question.ts';
import type { CountedUnit } from './find-candidates.ts';
import { questionKey } from './question-key.ts';

const mostKept = 5000;
const analysed = new Map<string, AnalysedQuestion>();

/** Ways to ask are few and come again with every question: the last 5,000 stay analysed. */
function analyseWay(way: string, language: Language): AnalysedQuestion {
  const key = `${language} ${way}`;
  const known = analysed.get(key) ?? analyseQuestion(way, language);
  analysed.delete(key);
  analysed.set(key, known);
  if (analysed.size > mostKept) analysed.delete(analysed.keys().next().value!);
  return known;
}

/** Asked word for word in a known way is beyond 1; of ways that say the same the heading itself comes first. */
const wordForWord = 1.5;
const notTheHeading = 0.97;

/**
 * How alike the question and the nearest way to ask for a passage are, in both directions: words of several ways that only together hold
 * the question's are no match. 0–1, and `wordForWord` where it is the same question.
 */
export function wayLikeness(
  { ways, language }: Pick<KnowledgePassage, 'ways' | 'language'>,
  text: string,
  units: readonly CountedUnit[],
  whole: number,
  question: AnalysedQuestion,
): number {
  const key = questionKey(text);
  const rated = ways.map((way, index) => {
    if (questionKey(way) === key) return wordForWord;
    return likenessOf(units, whole, analyseWay(way, language), question) * (index === 0 ? 1 : notTheHeading);
  });
  return Math.max(0, ...rated);
}

/** The harmonic mean of the shares that each says of the other. */
function likenessOf(
  units: readonly CountedUnit[],
  whole: number,
  way: AnalysedQuestion,
  question: AnalysedQuestion,
): number {
  const said =
    units.filter((unit) => has(way.units, unit)).reduce((sum, { weight }) => sum + weight, 0) / whole;
  const shared = sumOf(way.units.filter((unit) => has(question.units, unit)));
  const precise = shared / (sumOf(way.units) || 1);
  return said + precise === 0 ? 0 : (2 * said * precise) / (said + precise);
}

function has(units: readonly QuestionUnit[], unit: QuestionUnit): boolean {
  return units.some(({ terms }) => terms.some((term) => unit.terms.includes(term)));
}

function sumOf(units: readonly QuestionUnit[]): number {
  return units.reduce((sum, { share }) => sum + share, 0);
}
