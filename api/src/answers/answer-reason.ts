import type { AnswerReason, Citation } from '../contract/answers.ts';
import type { Turn } from './answerer.ts';
import type { PairMatch } from './match-pair.ts';
import type { Explanation } from './retrieve.ts';

const mostRanked = 10;

/** Why an answer is what it is, for its asker: numbers rounded, no more than the contract tells of. */
export function reasonOf(
  explanation: Explanation | null,
  match: PairMatch | null,
  rewritten: string | null,
  history: readonly Turn[] = [],
): AnswerReason {
  return {
    verdict: match ? 'curated' : (explanation?.verdict ?? 'nothing'),
    rewritten,
    context: rewritten === null ? [] : takenOver(rewritten, history),
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
      taken: false,
    })),
  };
}

/** The earlier questions that a search was widened by; none where a model has put it in words of its own. */
function takenOver(rewritten: string, history: readonly Turn[]): string[] {
  const asked = history.map(({ question }) => question.trim()).filter((one) => one !== '');
  return [...new Set(asked)].filter((one) => rewritten.includes(one));
}

/** The same reason, with what an answer cites marked as taken. */
export function withCited(why: AnswerReason, citations: readonly Citation[]): AnswerReason {
  const cited = new Set(citations.map(({ href }) => href));
  return { ...why, ranked: why.ranked.map((one) => ({ ...one, taken: cited.has(one.href) })) };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
