import { contentWords } from './answerability.ts';
import { wordVectors } from './embeddings/word-vectors.ts';
import { compileSynonyms, type Synonyms } from './synonyms.ts';

/** The words of a question with those of the other language that mean the same by their vectors, as synonyms; null if there are none. */
export function translationsOf(text: string): Synonyms | null {
  const groups = contentWords(text, []).flatMap(({ surface }) => {
    const others = wordVectors().translationsOf(surface);
    return others.map((other) => [surface, other]);
  });
  return groups.length === 0 ? null : compileSynonyms(groups);
}
