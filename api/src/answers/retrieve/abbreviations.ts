import { segmenter } from '../../text/terms.ts';
import { unknownWord } from './analyse-question.ts';
import type { CountedUnit } from './find-candidates.ts';

const isTwoCharacters = /^\p{Script=Han}{2}$/u;
/** Characters around an expansion that tell where its words begin. */
const around = 6;

/**
 * Two characters of a question that no passage says, with the word of these texts that has them in order: its first one begins a word, and the second one stands
 * in that or the next word, after one or two others (北大 and 北京大学, 年假 and 年休假). The most frequent expansion counts. Pure.
 */
export function abbreviationsIn(units: readonly CountedUnit[], texts: () => readonly string[]): string[][] {
  const unknown = units.filter(
    ({ surface, passages, share, groups }) =>
      passages === 0 && share >= unknownWord && groups.length === 1 && isTwoCharacters.test(surface),
  );
  const read = unknown.length > 0 ? texts() : [];
  return unknown.flatMap(({ surface }) => {
    const [first, second] = surface;
    const pattern = new RegExp(`${first}\\p{Script=Han}{1,2}?${second}`, 'gu');
    const times = new Map<string, number>();
    for (const text of read)
      for (const { 0: word, index } of text.matchAll(pattern))
        if (isCompound(text, index, word)) times.set(word, (times.get(word) ?? 0) + 1);
    const [best] = [...times].sort(([, one], [, other]) => other - one);
    return best ? [[surface, best[0]]] : [];
  });
}

/** Whether the word here begins a word of the dictionary and reaches at most into the next one. */
function isCompound(text: string, at: number, word: string): boolean {
  const start = Math.max(0, at - around);
  const words = [...segmenter.segment(text.slice(start, at + word.length + around))];
  const first = words.findIndex(({ index }) => index === at - start);
  if (first < 0) return false;
  const next = words[first + 1];
  const end = at - start + word.length;
  return (
    end <= (next ? next.index + next.segment.length : words[first]!.index + words[first]!.segment.length)
  );
}
