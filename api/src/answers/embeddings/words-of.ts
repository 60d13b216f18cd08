import { runsOf, stemOf } from '../../text/terms.ts';

/** Longest Chinese word of the vocabulary, in characters. */
const maxCharacters = 5;

/**
 * The words of a text that are in `vocabulary`, in order, with duplicates: stems of words in letters, and Chinese words by longest match. Pure.
 */
export function wordsOf(text: string, vocabulary: Pick<ReadonlySet<string>, 'has'>): string[] {
  return runsOf(text).flatMap((run) => {
    if (run.script === 'number') return [];
    if (run.script === 'cjk') return chineseWordsOf(run.text, vocabulary);
    const stem = stemOf(run.text);
    return vocabulary.has(stem) ? [stem] : [];
  });
}

function chineseWordsOf(run: string, vocabulary: Pick<ReadonlySet<string>, 'has'>): string[] {
  const words: string[] = [];
  for (let at = 0; at < run.length; ) {
    let length = Math.min(maxCharacters, run.length - at);
    while (length > 0 && !vocabulary.has(run.slice(at, at + length))) length -= 1;
    if (length > 0) words.push(run.slice(at, at + length));
    at += Math.max(length, 1);
  }
  return words;
}
