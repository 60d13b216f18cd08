import { analyseQuestion } from '../answers/analyse-question.ts';
import { pairTerms } from '../answers/match-pair.ts';
import type { CuratedPair } from '../answers/pair.ts';
import { questionKey } from '../answers/question-key.ts';
import type { KnowledgePairRequest } from '../contract/contract.ts';

/** What a pair is found by follows from its ways to ask. */
export type PairFields = Pick<
  CuratedPair,
  'source' | 'question' | 'variants' | 'answer' | 'language' | 'keys' | 'terms' | 'edition'
>;

/** Ways to ask that a pair has besides its question. */
export const mostVariants = 50;
/** Below this, a question says too little to be met by what is only alike: 你好, “thanks”, “OK?”. */
const enoughSaid = 1;

/** A pair as an editor writes it. Variants that are the question or one another in other dress are left out. */
export function pairFields({ question, variants = [], answer }: KnowledgePairRequest): PairFields {
  const ways = new Map([[questionKey(question), question]]);
  for (const variant of variants) {
    const key = questionKey(variant);
    if (!ways.has(key)) ways.set(key, variant);
  }
  const { language } = analyseQuestion(question, 'zh');
  const [, ...others] = ways.values();
  const telling = [...ways.values()].filter((way) => saidBy(way) >= enoughSaid);
  return {
    source: 'editor',
    question,
    variants: others,
    answer,
    language,
    keys: [...ways.keys()],
    terms: telling.length > 0 ? pairTerms(telling, language) : [],
    edition: '',
  };
}

function saidBy(way: string): number {
  return analyseQuestion(way, 'zh').units.reduce((sum, { share }) => sum + share, 0);
}
