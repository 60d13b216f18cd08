import type {
  KnowledgeCheck,
  KnowledgePair,
  KnowledgePairPage,
  KnowledgePairRequest,
  KnowledgeSearch,
  NewKnowledgePair,
} from 'api/contract/knowledge';
import type { Http } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { isMeantBy } from './pair-request.ts';

/**
 * POST /api/knowledge/check for a pair: `before` as stored, null for a new one. Leaves out the pair's own questions. Rejects with an
 * HttpFailure: 404 if the pair was deleted, 409 if another one has one of its wordings.
 */
export async function checkPair(
  http: Http,
  { before, after }: { before: KnowledgePair | null; after: NewKnowledgePair },
  signal: AbortSignal,
): Promise<KnowledgeCheck> {
  const change = { kind: 'put_pair', ...(before && { id: before.id }), pair: after };
  const { data } = await http.post<KnowledgeCheck>('/api/knowledge/check', change, { signal });
  const isMeant = isMeantBy(before, after);
  return { ...data, changed: data.changed.filter((one) => !isMeant(one)) };
}

/**
 * Like `checkPair` for the answer to an unanswered question. If a pair already has that question, it is changed, and its present answer is
 * returned, too.
 */
export async function checkAnswer(
  http: Http,
  request: KnowledgePairRequest,
  signal: AbortSignal,
): Promise<KnowledgeCheck> {
  try {
    return await checkPair(http, { before: null, after: request }, signal);
  } catch (error) {
    const there = asFailure(error).status === 409 && (await pairThatAsks(http, request, signal));
    if (!there) throw error;
    const after = { question: there.question, variants: there.variants, answer: request.answer };
    const check = await checkPair(http, { before: there, after }, signal);
    const own = {
      question: there.question,
      before: { source: 'curated' as const, answer: there.answer },
      after: { source: 'curated' as const, answer: request.answer },
    };
    return { ...check, changed: [own, ...check.changed] };
  }
}

async function pairThatAsks(
  http: Http,
  { question }: KnowledgePairRequest,
  signal: AbortSignal,
): Promise<KnowledgePair | undefined> {
  const body: KnowledgeSearch = { q: question.slice(0, 200), limit: 20 };
  const { data } = await http.post<KnowledgePairPage>('/api/knowledge/pairs/search', body, { signal });
  return data.pairs.find((pair) => !pair.isHandbook && [pair.question, ...pair.variants].includes(question));
}
