import type { Citation } from 'api/contract/answers';

/** A citation that is open beside the conversation. */
export interface OpenSource {
  /** Key of the answer. */
  key: string;
  citations: readonly Citation[];
  /** Number of the citation, counted from 1. */
  n: number;
}
