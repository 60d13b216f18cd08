import type { Language } from '../contract/language.ts';
import type { CollectionOwner } from './index/document.ts';
import { noSynonyms, type Synonyms } from './retrieve/synonyms.ts';

/** Settings of administrators about answers. Read for every question, since they may change at any time. */
export interface DeskChoices {
  /** Whether the handbook is used, if it is indexed. */
  usesHandbook(): boolean;
  synonyms(): Synonyms;
  /** The answer if nothing is found; `product` is the default text. */
  nothingFound(language: Language, product: string): string;
  /**
   * Owners of the collections, besides the first one, that an asker may read. Askers are `user:<id>`,
   * `guest:<id>`, `group:<id>` for any member of a group, and '' for anyone. The only place that decides
   * this.
   */
  readableBy(asker: string): Promise<readonly CollectionOwner[]>;
  /**
   * Whether an asker is an operator. On a desk with documents of its own, the handbook's chapters for
   * operators answer others only if the question is a heading.
   */
  operates(asker: string): Promise<boolean>;
}

/** For a desk without settings. */
export const productChoices: DeskChoices = {
  usesHandbook: () => true,
  synonyms: () => noSynonyms,
  nothingFound: (_language, product) => product,
  readableBy: async () => [],
  operates: async () => false,
};
