import type { Language } from '../../contract/contract.ts';
import type { OpsClient } from './ops-client.ts';
import type { Say } from './words.ts';

/** What a command works with. */
export interface Shell {
  client: OpsClient;
  say: Say;
  language: Language;
  /** When the command began. */
  now: Date;
  /** Who does it, for the history. */
  author: string;
  env: Record<string, string | undefined>;
  /** The answer: `body`, in the API's own shape, where --json was given, else the text. */
  answer(body: unknown, text: () => string): void;
  /** A word on how far it is, to stderr; nothing with --json. */
  progress(text: string): void;
}

/** What a command ends with when it did not throw: 1 where the desk, asked for its opinion, said no. */
export type Outcome = 0 | 1;
