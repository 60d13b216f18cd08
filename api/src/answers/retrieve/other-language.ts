import { wordVectors } from '../embeddings/word-vectors.ts';
import { contentWords } from './answerability.ts';
import { compileSynonyms } from './synonyms.ts';

/**
 * Translations of a question's content words into the other language, by word vectors, as synonyms. `words`
 * is the number of content words, `sayable` of those that a passage of the other language can contain: words
 * with a translation, numbers, and Latin words in a Chinese question.
 */
export function translationsOf(text: string) {
  const ofBoth = /\p{Script=Han}/u.test(text) ? /^[\p{Script=Latin}\p{Nd}]/u : /^\p{Nd}/u;
  const words = contentWords(text, []).map(({ surface }) => ({
    surface,
    others: wordVectors().translationsOf(surface),
  }));
  const groups = words.flatMap(({ surface, others }) => others.map((other) => [surface, other]));
  const sayable = words.filter(({ surface, others }) => others.length > 0 || ofBoth.test(surface)).length;
  return { synonyms: compileSynonyms(groups), sayable, words: words.length };
}
