import type { Language } from '../contract/language.ts';
import { analyseQuestion } from './analyse-question.ts';
import type { Turn } from './answerer.ts';

/** A question that says no more things than this may need what was asked before. */
const saysLittle = 2;
const longest = 60;
const farthest = 4;

/**
 * The question with what it may go on from before it: the last question that says more, and those since. null for one that says enough to
 * be looked up alone. Words such as "it" and "that" decide nothing, as complete questions have them too. Pure; no model is asked.
 */
export function rewriteQuestion(text: string, language: Language, history: readonly Turn[]): string | null {
  if (!isShort(text, language)) return null;
  const before = history.slice(-farthest).map(({ question }) => question);
  const topic = before.findLast((question) => !isShort(question, language)) ?? before.at(0);
  if (topic === undefined) return null;
  // What lies between says more about what is meant, as "and on Windows?" does before "how long does it take?".
  const between = before.slice(before.lastIndexOf(topic) + 1);
  return [topic, ...between, text].map((part) => part.trim()).join(language === 'zh' ? '，' : ' ');
}

function isShort(text: string, language: Language): boolean {
  const asked = text.trim();
  if (asked.length > longest) return false;
  return (
    analyseQuestion(asked, language).units.filter(({ share }) => share >= isContent).length <= saysLittle
  );
}

/** Share of a unit from which on it is content. */
const isContent = 0.7;
