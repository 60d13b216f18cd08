import type { CuratedPair } from '../models/pair.ts';

/** Knowledge as it would be after a change, to ask what that would do. Nothing asked with it is counted. */
export interface KnowledgeOverlay {
  /** As though it were stored, in place of one of the same id. */
  pair?: CuratedPair;
  /** Ids of what is as though it were not there. */
  withoutPair?: string;
  withoutDocument?: string;
}
