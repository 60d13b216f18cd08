import type { KnowledgeModels } from '../models/knowledge-models.ts';
import type { CuratedPair } from '../models/pair.ts';
import { type AnalysedQuestion, analyseQuestion, type QuestionUnit } from './analyse-question.ts';
import { questionKey } from './question-key.ts';

export interface PairMatch {
  pair: CuratedPair;
  /** 1: the same question but for case, width, punctuation and politeness. */
  similarity: number;
}

const alike = 0.86;
const mostPairs = 60;

/**
 * The curated pair that answers `text`: the one with the same question or variant, else the one whose words are nearly all the
 * same, in either direction; null when none is. Among equals an editor's pair comes before the handbook's, and one in the
 * question's language before another.
 */
export async function matchPair(
  models: Pick<KnowledgeModels, 'pairs'>,
  text: string,
  question: AnalysedQuestion,
): Promise<PairMatch | null> {
  const exact = await models.pairs
    .find({ keys: questionKey(text) })
    .limit(mostPairs)
    .lean();
  if (exact.length > 0) return { pair: prefer(exact, question)[0]!, similarity: 1 };
  if (question.units.length === 0) return null;
  const terms = question.units.flatMap((unit) => unit.terms);
  const near = await models.pairs
    .find({ terms: { $in: terms } })
    .limit(mostPairs)
    .lean();
  let best: PairMatch | null = null;
  for (const pair of prefer(near, question)) {
    const similarity = Math.max(
      ...[pair.question, ...pair.variants].map((way) => similarityOf(question, way, pair)),
    );
    if (similarity >= alike && similarity > (best?.similarity ?? 0)) best = { pair, similarity };
  }
  return best;
}

function prefer(pairs: readonly CuratedPair[], question: AnalysedQuestion): CuratedPair[] {
  const rankOf = (pair: CuratedPair) =>
    (pair.source === 'editor' ? 0 : 2) + (pair.language === question.language ? 0 : 1);
  return pairs.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Dice's coefficient over what both say, weighted by each unit's share. */
function similarityOf(question: AnalysedQuestion, way: string, pair: CuratedPair): number {
  const other = analyseQuestion(way, pair.language).units;
  const has = (units: readonly QuestionUnit[], unit: QuestionUnit) =>
    units.some(({ terms }) => terms.some((term) => unit.terms.includes(term)));
  const shared =
    sumOf(question.units.filter((unit) => has(other, unit))) +
    sumOf(other.filter((unit) => has(question.units, unit)));
  return shared / (sumOf(question.units) + sumOf(other) || 1);
}

function sumOf(units: readonly QuestionUnit[]): number {
  return units.reduce((sum, { share }) => sum + share, 0);
}
