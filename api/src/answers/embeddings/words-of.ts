import { runsOf, stemOf } from '../../text/terms.ts';

/** Longest Chinese word of the vocabulary, in characters. */
const maxCharacters = 5;

type Vocabulary = Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>;

/** The words of a text that are in `vocabulary`: stems, and Chinese words by longest match. Pure. */
export function wordsOf(text: string, vocabulary: Vocabulary): string[] {
  return runsOf(text).flatMap((run) => {
    if (run.script === 'number') return [];
    if (run.script === 'cjk') return chineseWordsOf(run.text, vocabulary);
    const stem = stemOf(run.text);
    return vocabulary.has(stem) ? [stem] : [];
  });
}

function chineseWordsOf(run: string, vocabulary: Vocabulary): string[] {
  const longest = longestOf(vocabulary);
  const words: string[] = [];
  for (let at = 0; at < run.length; ) {
    let length = Math.min(Math.max(1, longest[beginningAt(run, at)]!), run.length - at);
    while (length > 0 && !vocabulary.has(run.slice(at, at + length))) length -= 1;
    if (length > 0) words.push(run.slice(at, at + length));
    at += Math.max(length, 1);
  }
  return words;
}

const longests = new WeakMap<Vocabulary, Uint8Array>();

/** Maximum lengths of words by a hash of their first two characters. Most pairs begin no word. */
function longestOf(vocabulary: Vocabulary): Uint8Array {
  let longest = longests.get(vocabulary);
  if (longest) return longest;
  longest = new Uint8Array(2 ** 16);
  for (const word of vocabulary.keys()) {
    const beginning = beginningAt(word, 0);
    longest[beginning] = Math.min(maxCharacters, Math.max(longest[beginning]!, word.length));
  }
  longests.set(vocabulary, longest);
  return longest;
}

/** A 16-bit hash of two characters. */
const beginningAt = (text: string, at: number) =>
  (text.charCodeAt(at) * 31 + (at + 1 < text.length ? text.charCodeAt(at + 1) : 0)) & 0xffff;
