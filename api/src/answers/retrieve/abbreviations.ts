import { segmenter } from '../../text/terms.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { unknownWord } from './analyse-question.ts';
import type { CountedUnit } from './find-candidates.ts';

const isTwoCharacters = /^\p{Script=Han}{2}$/u;
/** Characters before and after an expansion that are segmented with it, to find where its words begin. */
const around = 6;

/**
 * Expands two-character abbreviations of a question that no passage contains: 北大 to 北京大学, 年假 to 年休假. An
 * expansion has one or two characters between these two; the first one begins a word, and the second one is
 * in that word or the next. The most frequent expansion in `passages` counts. Returns `[abbreviation,
 * expansion]`. Pure.
 */
export function abbreviationsIn(
  units: readonly CountedUnit[],
  passages: readonly KnowledgePassage[],
): [string, string][] {
  const unknown = units.filter(
    ({ surface, passages, share, groups }) =>
      passages === 0 && share >= unknownWord && groups.length === 1 && isTwoCharacters.test(surface),
  );
  return unknown.flatMap(({ surface }) => {
    const [first, second] = surface;
    const pattern = new RegExp(`${first}\\p{Script=Han}{1,2}?${second}`, 'gu');
    const times = new Map<string, number>();
    for (const { title, place, text: body } of passages) {
      const text = `${title}\n${place}\n${body}`;
      for (const { 0: word, index } of text.matchAll(pattern))
        if (isCompound(text, index, word)) times.set(word, (times.get(word) ?? 0) + 1);
    }
    const [best] = [...times].sort(([, one], [, other]) => other - one);
    return best ? [[surface, best[0]]] : [];
  });
}

/** Whether `word` begins where a word of the dictionary does, and ends within that word or the next. */
function isCompound(text: string, at: number, word: string): boolean {
  const start = Math.max(0, at - around);
  const words = [...segmenter.segment(text.slice(start, at + word.length + around))];
  const first = words.findIndex(({ index }) => index === at - start);
  const last = words[first + 1] ?? words[first];
  return first >= 0 && at - start + word.length <= last!.index + last!.segment.length;
}
