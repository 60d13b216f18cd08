import { askedWords } from './answerability.ts';

const questionWord = String.raw`(?:(?:for|in|on|at|from|until|till|by|to|with)\s+)*(?:who|whom|whose|what|when|where|which|how|why|is|are|can|could|do|does|did|will|would|should|may|must|has|have)\b`;

/** Matches clauses that ask something. */
const asks = new RegExp(
  String.raw`什么|怎[么样]|如何|多少|几|哪|谁|何[时处]|多[久长大高远重]|是否|[吗么]\p{P}*$|(\p{Script=Han})[不没]\1|^(?:and\s+)?${questionWord}`,
  'iu',
);

/** Boundaries of clauses: punctuation, and "and" before a question word. */
const between = new RegExp(
  String.raw`\s*[,，](?!\d)\s*(?:and\s+)?|(?<=[?？;；。！!])\s*(?=\S)|\s+and\s+(?=${questionWord})`,
  'giu',
);

const maxParts = 3;
/** A clause with fewer content words does not name its subject (留多久, "what are the steps?"). */
const minWords = 2;

/**
 * Splits a question that asks for several things. Each part ends with a clause that asks and names its
 * subject, and includes the clauses before it that do not ask, such as conditions. A question for one thing,
 * or for more than `maxParts`, is not split. Pure.
 */
export function partsOfQuestion(question: string): string[] {
  const text = question.trim();
  const parts: { start: number; end: number }[] = [];
  let [start, from] = [0, 0];
  for (const { index, 0: gap } of [...text.matchAll(between), { index: text.length, 0: '' }]) {
    const clause = text.slice(start, index);
    start = index + gap.length;
    if (!asks.test(clause)) continue;
    const last = parts.at(-1);
    const isNamed = askedWords({ text: text.slice(from, index), units: [] }).length >= minWords;
    if (last && !isNamed) last.end = index;
    else parts.push({ start: from, end: index });
    from = start;
  }
  // A remark after the last part is left out.
  return parts.length > 1 && parts.length <= maxParts
    ? parts.map((part) => text.slice(part.start, part.end))
    : [text];
}
