import type { ChangeNote, CompositionChoice, PointerInfo } from '../../../contract/compositions.ts';
import type { Language } from '../../../contract/language.ts';
import { CommandFailure, Refused } from '../../failure.ts';
import type { Say } from './format.ts';
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

const RELEASE = /^[a-z0-9][a-z0-9-]*@\S+$/;
const COMPOSITION = /^[0-9a-f]{6,64}$/;

/**
 * Parses the arguments of a command: releases (`mfe-chat@1.4.0 mfe-auth@2.0.0`), or one composition by at
 * least 6 digits of its id. Throws a message with the expected format.
 */
export function readChoice(named: readonly string[], without: readonly string[], say: Say) {
  const [first] = named;
  if (first !== undefined && COMPOSITION.test(first)) {
    if (named.length + without.length > 1) throw new CommandFailure(2, say('oneComposition', { id: first }));
    return { composition: first };
  }
  for (const release of named)
    if (!RELEASE.test(release)) throw new CommandFailure(2, say('badRelease', { given: release }));
  const parts = named.map(nameOf);
  const twice = parts.find((name, index) => parts.indexOf(name) !== index || without.includes(name));
  if (twice) throw new CommandFailure(2, say('namedTwice', { name: twice }));
  if (named.length + without.length === 0) throw new CommandFailure(2, say('nothingNamed'));
  return { releases: [...named], ...(without.length > 0 ? { without: [...without] } : {}) };
}

export function assertRelease(given: string, say: Say): void {
  if (!RELEASE.test(given)) throw new CommandFailure(2, say('badRelease', { given }));
}

/** `mfe-chat` of `mfe-chat@1.4.0`. */
export function nameOf(release: string): string {
  return release.slice(0, release.indexOf('@'));
}

export function readCompositionId(given: string, say: Say): string {
  if (!COMPOSITION.test(given)) throw new CommandFailure(2, say('badComposition', { given }));
  return given;
}

/** The choice as it was typed, for messages and for the history. */
export function formatChoice(choice: CompositionChoice): string {
  if ('composition' in choice) return choice.composition;
  const { releases = [], without = [] } = choice;
  return [...releases, ...without.map((name) => `--without ${name}`)].join(' ');
}
