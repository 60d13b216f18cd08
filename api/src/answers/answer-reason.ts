import type { AnswerReason, Citation } from '../contract/answers.ts';
import type { Turn } from './answerer.ts';
import { collectionOf } from './index/document.ts';
import { hrefOf } from './index/passage.ts';
import type { PairMatch } from './pairs/match-pair.ts';
import type { Explanation } from './retrieve/retrieve.ts';

const maxRanked = 10;

/** How an answer was found, with numbers rounded to three decimals. */
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
    ranked: (explanation?.ranked ?? []).slice(0, maxRanked).map((one) => {
      const collectionId = collectionOf(one.owner);
      return {
        href: hrefOf(one.passageId),
        title: one.title,
        place: one.place,
        ...(collectionId === null ? {} : { collectionId }),
        score: rounded(one.score),
        coverage: rounded(one.coverage),
        missing: one.missing,
        taken: false,
      };
    }),
  };
}

/** The earlier questions that are part of the rewritten one. */
function takenOver(rewritten: string, history: readonly Turn[]): string[] {
  const asked = new Set(history.map(({ question }) => question.trim()));
  return [...asked].filter((one) => one !== '' && rewritten.includes(one));
}

/** Marks the passages that the answer cites as taken. */
export function withCited(why: AnswerReason, citations: readonly Citation[]): AnswerReason {
  const cited = new Set(citations.map(({ href }) => href));
  return { ...why, ranked: why.ranked.map((one) => ({ ...one, taken: cited.has(one.href) })) };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
