import type { Language } from '../../contract/language.ts';

/** UTF-16 units that are looked at, from the beginning. */
const sample = 20_000;

/** Chinese when every fourth word or more is Chinese: English names stand in Chinese texts more often than the other way round. */
export function tellLanguage(text: string): Language {
  const head = text.slice(0, sample);
  const characters = head.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = head.match(/[\p{Script=Latin}]{2,}/gu)?.length ?? 0;
  // A Chinese word is about two characters; a text without either is one of numbers.
  if (characters === 0) return words > 0 ? 'en' : 'zh';
  return characters / 2 >= words / 3 ? 'zh' : 'en';
}
