/** How long to bear with an endpoint. Times in milliseconds. */
export interface ModelPatience {
  /** Until the first piece of text or reasoning, of every attempt. */
  firstTokenMs: number;
  /** Between two pieces. */
  idleMs: number;
  /** Attempts after the first, made only while nothing was said. */
  retries: number;
  /** Wait before the first retry; doubled for each further one, then any share of it from a half on. */
  waitMs: number;
  /** A `Retry-After` that asks for more is not waited for: the knowledge base answers, and the model is not asked before it is over. */
  maxWaitMs: number;
  /** Failures in a row after which the model is not asked. */
  failuresToOpen: number;
  /** Then one question tries it after this long; doubled at each failure, up to `mostOpenMs`. */
  openMs: number;
  mostOpenMs: number;
}

/** What holds unless told otherwise: local models may take long to read a prompt, none should fall silent for long within a text. */
export const usualPatience: ModelPatience = {
  firstTokenMs: 30_000,
  idleMs: 30_000,
  retries: 2,
  waitMs: 500,
  maxWaitMs: 8_000,
  failuresToOpen: 5,
  openMs: 30_000,
  mostOpenMs: 300_000,
};
