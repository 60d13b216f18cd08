import type { Language } from '../../../../api/src/contract/language.ts';

export interface SearchedPassage {
  id: string;
  language: Language;
  heading: string;
  text: string;
}

/** One of those whom the desk is measured beside. Each is given the passages that the desk cut, and told the language as the desk is. */
export interface Engine {
  name: string;
  /** @param language of the passages; null: any. */
  search(question: string, language: Language | null): { id: string; score: number }[];
  close(): void;
}

export const maxFound = 10;
