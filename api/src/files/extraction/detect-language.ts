import type { Language } from '../../contract/language.ts';

/** Number of UTF-16 units examined, from the beginning. */
const sample = 20_000;

/** Chinese from every fourth word on: English names in Chinese texts are commoner than the reverse. */
export function detectLanguage(text: string): Language {
  const head = text.slice(0, sample);
  const characters = head.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = head.match(/[\p{Script=Latin}]{2,}/gu)?.length ?? 0;
  // A Chinese word has about two characters; a text without words contains only numbers.
  if (characters === 0) return words > 0 ? 'en' : 'zh';
  return characters / 2 >= words / 3 ? 'zh' : 'en';
}
