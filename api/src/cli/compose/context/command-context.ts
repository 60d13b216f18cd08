import type { ChangeNote, PointerInfo } from '../../../contract/compositions.ts';
import type { Language } from '../../../contract/language.ts';
import { CommandFailure, Refused } from '../../failure.ts';
import type { Say } from '../../say.ts';
import type { OpsClient } from './ops-client.ts';

export interface CommandContext {
  client: OpsClient;
  /** The token that `client` sends. */
  token: string;
  say: Say;
  language: Language;
  now: Date;
  author: string;
  env: Record<string, string | undefined>;
  /** Prints the result: `body` as in the API with --json, otherwise the text. */
  answer(body: unknown, text: () => string): void;
  /** Prints a progress message to stderr; nothing with --json. */
  progress(text: string): void;
}

/** Exit code of a command that did not throw: 1 if a check failed. */
export type Outcome = 0 | 1;

/** The options of a change. */
export interface NoteOptions {
  reason?: string;
  ifRevision?: number;
}

/** The note of a change by `compose <command>` that is based on `pointer`. */
export function noteOf(
  { author }: CommandContext,
  pointer: PointerInfo,
  command: string,
  { reason = `compose ${command}`, ifRevision = pointer.revision }: NoteOptions,
): Required<ChangeNote> {
  return { author, reason, revision: ifRevision };
}

/** The pointer; null if nothing has gone live yet. */
export async function readPointer({ client }: CommandContext): Promise<PointerInfo | null> {
  try {
    return await client.get<PointerInfo>('/ops/pointer');
  } catch (thrown) {
    if (thrown instanceof Refused && thrown.body.error === 'not_found') return null;
    throw thrown;
  }
}

/** The pointer, for commands that require one. */
export async function needPointer(context: CommandContext): Promise<PointerInfo> {
  const pointer = await readPointer(context);
  if (pointer) return pointer;
  throw new CommandFailure(1, context.say('nothingLive'), { error: 'not_found' });
}
