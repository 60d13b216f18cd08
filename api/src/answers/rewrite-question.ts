import type { Language } from '../contract.ts';
import { analyseQuestion } from './analyse-question.ts';
import type { Turn } from './answerer.ts';

/** A question that begins so goes on from the last one. */
const goesOn =
  /^(?:那么|那|还有|另外|此外|以及|然后|而|至于|如果是|换成|要是|and\b|what about|how about|or\b|but\b|then\b|so\b|also\b|same (?:for|with)|why (?:not|so)\b)/iu;
/** Something that was named before. */
const pointsBack =
  /它|它们|他们|这个|那个|这些|那些|这种|这样|那样|其中|上面|前面|刚才|该(?:文件|功能|命令)|\b(?:it|its|they|them|their|that|this|these|those|there|one|ones|the (?:same|former|latter|other))\b/iu;
/** `It` that nothing was named for. */
const pointsNowhere =
  /\b(?:is|was) it (?:possible|ok|okay|safe|true|a good idea)|\bit is (?:possible|true)|\b(?:that|which) (?:is|are|was|were|has|have|can)\b/iu;
const asksOnly =
  /^(?:为什么|为何|怎么|如何|多久|多少钱?|在哪里?|哪里|什么时候|why|how|where|when|how (?:long|much|many|often))[?？!！。.\s]*$/iu;
const saysMuch = 3;
const longest = 60;
const farthest = 4;

/**
 * The question so that it stands without the conversation: what it goes on from is put before it. null for a question that stands
 * alone, which is any that names something and neither goes on from the last one nor points back. Pure; no model is asked.
 */
export function rewriteQuestion(text: string, language: Language, history: readonly Turn[]): string | null {
  if (!leans(text, language)) return null;
  const before = history.slice(-farthest).map(({ question }) => question);
  const topic = before.findLast((question) => !leans(question, language)) ?? before.at(0);
  if (topic === undefined) return null;
  // What lies between says more about what is meant, as "and on Windows?" does before "how long does it take?".
  const between = before.slice(before.lastIndexOf(topic) + 1);
  return [topic, ...between, text].map((part) => part.trim()).join(language === 'zh' ? '，' : ' ');
}

function leans(text: string, language: Language): boolean {
  const asked = text.trim();
  if (asked.length > longest) return false;
  const { units } = analyseQuestion(asked, language);
  const content = units.reduce((sum, { share }) => sum + (share >= 0.7 ? 1 : 0), 0);
  if (asksOnly.test(asked)) return true;
  if (content > saysMuch) return false;
  return goesOn.test(asked) || (pointsBack.test(asked) && !pointsNowhere.test(asked));
}
