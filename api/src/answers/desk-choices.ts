import type { Language } from '../contract/language.ts';
import type { CollectionOwner } from './index/document.ts';
import { noSynonyms, type Synonyms } from './retrieve/synonyms.ts';

/** What administrators choose about answers. Read for every question, since it may change at any time. */
export interface DeskChoices {
  /** Whether the handbook is used, if it is indexed. */
  usesHandbook(): boolean;
  /** Words that mean the same. */
  synonyms(): Synonyms;
  /** The answer if nothing is found; `product` is the product's own. */
  nothingFound(language: Language, product: string): string;
  /**
   * Owners of the collections besides the first one that an asker may read: `user:<id>`, `guest:<id>`, `group:<id>` for anyone of that group, '' for
   * anyone. The only place that decides it.
   */
  readableBy(asker: string): Promise<readonly CollectionOwner[]>;
  /** Whether an asker runs the desk. On a desk with documents of its own, the handbook's chapters about that answer nobody else, unless asked for by their headings. */
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
