import type { ModelUsage } from '../../contract/models.ts';

/** The tokens that are reserved for a question. */
export interface UsageShare {
  /** Replaces the reservation by the number of tokens that this model used. */
  settle(tokens: number, model: string): Promise<void>;
}

/** Counts tokens by owner and day (UTC), over all processes. */
export interface UsageCount {
  /** Reserves tokens for a question; null if the day's limit is reached. Running questions may exceed it. */
  take(owner: string, tokens: number): Promise<UsageShare | null>;
  today(owner: string): Promise<ModelUsage>;
  /** Whole hours until the end of the day, at least 1. */
  hoursLeft(): number;
}
