import { pairTerms } from '../answers/pairs/match-pair.ts';
import type { CuratedPair } from '../answers/pairs/pair.ts';
import { analyseQuestion } from '../answers/retrieve/analyse-question.ts';
import { questionKey } from '../answers/retrieve/question-key.ts';
import type { KnowledgePairRequest } from '../contract/knowledge.ts';

/** The fields of a pair that are derived from its phrasings. */
type PairFields = Pick<
  CuratedPair,
  'source' | 'question' | 'variants' | 'answer' | 'language' | 'keys' | 'terms' | 'edition'
>;

/** Fewest words for matching similar questions; shorter ones match only exactly: 你好, “OK?”. */
const minWords = 1;

/** Normalises a pair entered by an editor. Variants that equal the question or one another are dropped. */
export function pairFields({ question, variants = [], answer }: KnowledgePairRequest): PairFields {
  const ways = new Map([[questionKey(question), question]]);
  for (const variant of variants) {
    const key = questionKey(variant);
    if (!ways.has(key)) ways.set(key, variant);
  }
  const { language } = analyseQuestion(question, 'zh');
  const [, ...others] = ways.values();
  const comparable = [...ways.values()].filter((way) => wordsOf(way) >= minWords);
  return {
    source: 'editor',
    question,
    variants: others,
    answer,
    language,
    keys: [...ways.keys()],
    terms: comparable.length > 0 ? pairTerms(comparable, language) : [],
    edition: '',
  };
}

function wordsOf(way: string): number {
  return analyseQuestion(way, 'zh').units.reduce((sum, { share }) => sum + share, 0);
}
