/** Timeouts and retries of an endpoint. Times in milliseconds. */
export interface ModelPatience {
  /** Maximum time until the first piece of text or reasoning, over all attempts. */
  firstTokenMs: number;
  /** Maximum time between two pieces. */
  idleMs: number;
  /** Number of retries, only before the first piece. */
  retries: number;
  /** Wait before the first retry; doubled for each further one, with jitter. */
  waitMs: number;
  /** Maximum wait. With a longer `Retry-After` the model is not asked before it has passed. */
  maxWaitMs: number;
  /** Failures in a row after which the model is not asked. */
  failuresToOpen: number;
  /** Time until one question asks the model again; doubled with each failure, up to `maxOpenMs`. */
  openMs: number;
  maxOpenMs: number;
}

/** Local models may take long for the first token. */
export const defaultPatience: ModelPatience = {
  firstTokenMs: 30_000,
  idleMs: 30_000,
  retries: 2,
  waitMs: 500,
  maxWaitMs: 8_000,
  failuresToOpen: 5,
  openMs: 30_000,
  maxOpenMs: 300_000,
};
