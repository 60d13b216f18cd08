import { z } from 'zod';
import { trimmedText } from './fields.ts';

/** Maximum number of groups, and of words in a group. */
export const maxSynonymGroups = 500;
export const maxSynonyms = 20;
/** Maximum length of a word or phrase, in UTF-16 units. */
export const maxSynonymLength = 60;

/** Groups of words and phrases that mean the same to the desk, in any language. A Chinese word has at least two characters. */
export const SynonymGroups = z
  .array(z.array(trimmedText(maxSynonymLength, 2)).min(2).max(maxSynonyms))
  .max(maxSynonymGroups);

/** GET /api/knowledge/synonyms; `revision` is 0 before the first change. */
export const SynonymList = z.object({ revision: z.number(), groups: z.array(z.array(z.string())) });
export type SynonymList = z.infer<typeof SynonymList>;

/**
 * PUT /api/knowledge/synonyms replaces all groups; 409 if `revision` is not the current one. Questions are answered with them at once, by other processes
 * within 2 s.
 */
export const SynonymChange = z.object({ revision: z.int().min(0), groups: SynonymGroups });
export type SynonymChange = z.input<typeof SynonymChange>;
