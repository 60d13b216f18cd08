import { fold } from '../../text/fold.ts';

/** Greetings and politeness at the beginning or end of a question. */
const around =
  /^(?:您好|你好|请问一下|请问|麻烦问下|我想问一下|我想问|想问一下|hello|hi|hey|please|excuse me|can you tell me|could you tell me)+|(?:谢谢|多谢|吗|呢|呀|啊|please|thanks|thank you)+$/gu;

/**
 * The key for comparing questions: folded (width, case, traditional characters), without white space,
 * punctuation and surrounding politeness. Questions of nothing else remain distinct: the key of 你好 is `你好`,
 * and 👍 differs from 👎.
 */
export function questionKey(question: string): string {
  const folded = fold(question);
  const bare = folded.replace(/[^\p{L}\p{N}]+/gu, '');
  return bare.replace(around, '') || bare || folded.replace(/[\s\p{P}]+/gu, '') || folded.trim();
}
