import { fold } from '../../text/fold.ts';

/**
 * Names in a question, folded: capitalised words that do not begin a sentence, and capitalised Latin words of
 * at least three letters in Chinese. Their spelling is never corrected, and a passage without them is about
 * something else.
 */
export function namesIn(text: string): Set<string> {
  const capitals = text.matchAll(/(?<=[\p{L}\p{N},;]\s+)\p{Lu}[\p{L}\p{N}]+/gu);
  const foreign = /\p{Script=Han}/u.test(text) ? text.matchAll(/[A-Z][A-Za-z0-9]{2,}/g) : [];
  return new Set([...capitals, ...foreign].map(([name]) => fold(name)));
}
