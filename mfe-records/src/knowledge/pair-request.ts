import type { ChangedAnswer, KnowledgePair, KnowledgePairRequest } from 'api/contract/knowledge';
import type { Translate } from 'host/contract';
import type { KnowledgeTexts } from './knowledge-texts.ts';

/** The fields of a pair in the form. */
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
export function isMeantBy(before: KnowledgePair | null, after: KnowledgePairRequest) {
  const answer = plain(after.answer);
  return ({ question, before: now, after: then }: ChangedAnswer): boolean => {
    const isOwn = [before?.question, ...(before?.variants ?? []), after.question, ...(after.variants ?? [])]
      .filter((one) => one !== undefined)
      .includes(question);
    if (!isOwn || plain(then.answer) !== answer) return false;
    // They had the pair's previous answer, or none of another pair.
    return now.source !== 'curated' || (before !== null && plain(now.answer) === plain(before.answer));
  };
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
