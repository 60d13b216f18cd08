import type { Language } from '../../contract/language.ts';
import type { Say } from '../say.ts';
import type { OpsClient } from './ops-client.ts';

/** Everything a command needs to run. */
export interface CommandContext {
  client: OpsClient;
  /** The token that `client` sends. */
  token: string;
  say: Say;
  language: Language;
  /** When the command started. */
  now: Date;
  /** Author for the history. */
  author: string;
  env: Record<string, string | undefined>;
  /** Prints the result: `body` as in the API with --json, otherwise the text. */
  answer(body: unknown, text: () => string): void;
  /** Prints a progress message to stderr; nothing with --json. */
  progress(text: string): void;
}

/** Exit code of a command that did not throw: 1 if a check failed. */
export type Outcome = 0 | 1;

/** The work of a command, with its context for error messages. */
export interface Work {
  /** Throws if the arguments are invalid, before the server is contacted. */
  assertFit?(): void;
  /** Resolves to an `Outcome`; undefined means 0. */
  run(context: CommandContext): Promise<unknown>;
  /** The releases or the composition given as arguments. */
  named?: readonly string[];
  without?: readonly string[];
  /** Where to look if something named does not exist. Default: the list of compositions. */
  seeAlso?: 'seeTokens' | 'seeChanges';
}
