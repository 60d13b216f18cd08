import { wordVectors } from '../embeddings/word-vectors.ts';
import { contentWords } from './answerability.ts';
import { compileSynonyms, type Synonyms } from './synonyms.ts';

export interface Translations {
  /** The words of a question with those of the other language that mean the same by their vectors. */
  synonyms: Synonyms;
  /** Number of content words that a passage of the other language can say, with numbers, and in Chinese names in letters. */
  sayable: number;
  words: number;
}

/** The translations of a question's content words into the other language, of those that have some. */
export function translationsOf(text: string): Translations {
  const ofBoth = /\p{Script=Han}/u.test(text) ? /^[\p{Script=Latin}\p{Nd}]/u : /^\p{Nd}/u;
  const words = contentWords(text, []).map(({ surface }) => ({
    surface,
    others: wordVectors().translationsOf(surface),
  }));
  const groups = words.flatMap(({ surface, others }) => others.map((other) => [surface, other]));
  const sayable = words.filter(({ surface, others }) => others.length > 0 || ofBoth.test(surface)).length;
  return { synonyms: compileSynonyms(groups), sayable, words: words.length };
}
