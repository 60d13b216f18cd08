import type { ModelUsage } from '../../contract/models.ts';

/** A question that may be put to a model. Told once how it ended. */
export interface UsageShare {
  /** What it came to; 0 tokens gives everything back. */
  settle(tokens: number): Promise<void>;
}

/** Counts what owners use of models, by day (UTC), over all processes. */
export interface UsageCount {
  /**
   * Sets `tokens` aside, an estimate. null when the day's limit is reached; it may be passed by what was under way when it was.
   */
  take(owner: string, tokens: number): Promise<UsageShare | null>;
  today(owner: string): Promise<ModelUsage>;
  /** Whole hours until the day is over, at least 1. */
  hoursLeft(): number;
}
