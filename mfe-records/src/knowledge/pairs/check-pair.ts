import type {
  ChangedAnswer,
  KnowledgeCheck,
  KnowledgePair,
  KnowledgePairPage,
  KnowledgePairRequest,
  KnowledgeSearch,
  NewKnowledgePair,
} from 'api/contract/knowledge';
import type { Http, Translate } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import type { KnowledgeTexts } from '../../lib/texts.ts';

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
  request: NewKnowledgePair,
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
  { question, collectionId = 'everyone' }: NewKnowledgePair,
  signal: AbortSignal,
): Promise<KnowledgePair | undefined> {
  const body: KnowledgeSearch = { q: question.slice(0, 200), collection: collectionId, limit: 20 };
  const { data } = await http.post<KnowledgePairPage>('/api/knowledge/pairs/search', body, { signal });
  return data.pairs.find((pair) => !pair.isHandbook && [pair.question, ...pair.variants].includes(question));
}

export interface PairText {
  question: string;
  variants: string[];
  answer: string;
}

export const MAX_QUESTION = 8000;
export const MAX_ANSWER = 20_000;

export const EMPTY_PAIR: PairText = { question: '', variants: [], answer: '' };

/** The storage key for the draft of a pair; null for a new one. */
export function pairDraftKey(id: string | null): string {
  return `knowledge/pair/${id ?? 'new'}`;
}

/** The request body: trimmed, without empty or duplicate wordings. */
export function toRequest({ question, variants, answer }: PairText): KnowledgePairRequest {
  const asked = question.trim();
  const others = new Set(variants.map((variant) => variant.trim()).filter(Boolean));
  others.delete(asked);
  return { question: asked, variants: [...others], answer: answer.trim() };
}

/** Why a text of at most `most` UTF-16 units cannot be sent, or ''. */
export function faultOf(
  text: string,
  most: number,
  missing: 'pair.missing.question' | 'pair.missing.answer',
  t: Translate<KnowledgeTexts>,
): string {
  const { length } = text.trim();
  if (length === 0) return t(missing);
  return length > most ? t('pair.tooLong', { most, count: length }) : '';
}

/** Returns whether a changed answer is the purpose of saving: the pair's own questions get its new answer. */
function isMeantBy(before: KnowledgePair | null, after: KnowledgePairRequest) {
  const answer = plain(after.answer);
  return ({ question, before: now, after: then }: ChangedAnswer): boolean => {
    const isOwn = [before?.question, ...(before?.variants ?? []), after.question, ...(after.variants ?? [])]
      .filter((one) => one !== undefined)
      .includes(question);
    if (!isOwn || plain(then.answer) !== answer) return false;
    // Before, these questions got this pair's answer, or none of another pair.
    return now.source !== 'curated' || (before !== null && plain(now.answer) === plain(before.answer));
  };
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
