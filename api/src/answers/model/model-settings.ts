/** An OpenAI-compatible endpoint and how long to bear with it. Times in milliseconds. */
export interface ModelSettings {
  baseUrl: string;
  apiKey: string;
  model: string;
  /** Until the first piece of text or reasoning. */
  firstTokenMs: number;
  /** Between two pieces. */
  idleMs: number;
  /** Attempts after the first, made only while nothing was said. */
  retries: number;
  /** Wait before the first retry; doubled for each further one. `Retry-After` goes before it, up to `mostWaitMs`. */
  waitMs: number;
  mostWaitMs: number;
  /** UTF-16 units of earlier turns that go along, the latest first. */
  historyBudget: number;
}

/** What holds unless told otherwise: local models may take long to read a prompt, none should fall silent for long within a text. */
export const usualModelSettings = {
  firstTokenMs: 60_000,
  idleMs: 30_000,
  retries: 2,
  waitMs: 500,
  mostWaitMs: 8_000,
  historyBudget: 6_000,
} as const satisfies Omit<ModelSettings, 'baseUrl' | 'apiKey' | 'model'>;
