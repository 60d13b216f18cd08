import { fold } from '../text/fold.ts';

/**
 * Names in a question, folded: words with a capital that does not begin a sentence, and in Chinese any Latin word of three letters. They are spelt as
 * they are, and what does not say them answers something else.
 */
export function namesIn(text: string): Set<string> {
  const capitals = text.matchAll(/(?<=[\p{L}\p{N},;]\s+)\p{Lu}[\p{L}\p{N}]+/gu);
  const foreign = /\p{Script=Han}/u.test(text) ? text.matchAll(/[A-Z][A-Za-z0-9]{2,}/g) : [];
  return new Set([...capitals, ...foreign].map(([name]) => fold(name)));
}
