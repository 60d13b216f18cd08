import type { AnswerReason } from '../contract.ts';
import type { PairMatch } from './match-pair.ts';
import type { Explanation } from './retrieve.ts';

const mostRanked = 10;

/** Why an answer is what it is, for its asker: numbers rounded, no more than the contract tells of. */
export function reasonOf(
  explanation: Explanation | null,
  match: PairMatch | null,
  rewritten: string | null,
): AnswerReason {
  return {
    verdict: match ? 'curated' : (explanation?.verdict ?? 'nothing'),
    rewritten,
    pair: match ? { question: match.way, similarity: rounded(match.similarity) } : null,
    terms: (explanation?.units ?? []).map(({ surface, weight, passages }) => ({
      word: surface,
      weight: rounded(weight),
      passages,
    })),
    total: explanation?.total ?? 0,
    candidates: explanation?.candidates ?? 0,
    ranked: (explanation?.ranked ?? []).slice(0, mostRanked).map((one) => ({
      href: `/api/passages/${encodeURIComponent(one.passageId)}`,
      title: one.title,
      place: one.place,
      score: rounded(one.score),
      coverage: rounded(one.coverage),
      missing: one.missing,
      taken: one.taken,
    })),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
