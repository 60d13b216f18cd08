import { fold } from '../../text/fold.ts';
import { eachRun, stemOf } from '../../text/terms.ts';

/** Longest Chinese word of the vocabulary, in characters. */
const maxCharacters = 5;

type Vocabulary = Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>;

/** The words of a text that are in `vocabulary`: stems, and Chinese words by longest match. Pure. */
export function wordsOf(text: string, vocabulary: Vocabulary): string[] {
  const words: string[] = [];
  eachRun(fold(text), (run, script) => {
    if (script === 'cjk') addChineseWords(run, vocabulary, words);
    if (script !== 'word') return;
    const stem = stemOf(run);
    if (vocabulary.has(stem)) words.push(stem);
  });
  return words;
}

function addChineseWords(run: string, vocabulary: Vocabulary, words: string[]): void {
  const longest = longestOf(vocabulary);
  for (let at = 0; at < run.length; ) {
    let length = Math.min(Math.max(1, longest[beginningAt(run, at)]!), run.length - at);
    while (length > 0 && !vocabulary.has(run.slice(at, at + length))) length -= 1;
    if (length > 0) words.push(run.slice(at, at + length));
    at += Math.max(length, 1);
  }
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
