import type { ChangeNote, FreezeRequest, PinRequest, PointerInfo } from '../../../contract/compositions.ts';
import { type CommandContext, needPointer } from '../context/command-context.ts';
import { clock } from '../context/format.ts';

interface NoteOptions {
  reason?: string;
  ifRevision?: number;
}

/** `compose freeze --until 2026-12-01T08:00 --reason "release week"`. */
export async function freeze(
  context: CommandContext,
  { until, ...options }: NoteOptions & { until: Date },
): Promise<void> {
  const note = await noteOf(context, 'freeze', options);
  const body = { ...note, until: until.toISOString() } satisfies FreezeRequest;
  answer(await context.client.post<PointerInfo>('/ops/freeze', body), context);
}

/** `compose unfreeze`. */
export async function unfreeze(context: CommandContext, options: NoteOptions): Promise<void> {
  const note = await noteOf(context, 'unfreeze', options);
  const after = await context.client.post<PointerInfo>('/ops/unfreeze', note);
  context.answer(after, () => context.say('unfrozen'));
}

/** `compose pin mfe-chat --reason "waiting for legal"`. */
export async function pin(context: CommandContext, remote: string, options: NoteOptions): Promise<void> {
  const body = { ...(await noteOf(context, 'pin', options)), remote } satisfies PinRequest;
  answer(await context.client.post<PointerInfo>('/ops/pin', body), context);
}

/** `compose unpin mfe-chat`. */
export async function unpin(context: CommandContext, remote: string, options: NoteOptions): Promise<void> {
  const note = await noteOf(context, `unpin ${remote}`, options);
  const body = { ...note, remote } satisfies PinRequest;
  const after = await context.client.post<PointerInfo>('/ops/unpin', body);
  context.answer(after, () => context.say('unpinned', { part: remote }));
}

/** What prevents changes, a line each. */
export function formatRestrictions(
  { freeze, pins }: PointerInfo,
  { say, now }: Pick<CommandContext, 'say' | 'now'>,
): string[] {
  return [
    ...(freeze ? [say('frozenUntil', { ...freeze, until: clock(freeze.until, now) })] : []),
    ...pins.map((pin) => say('pinnedBy', pin)),
  ];
}

async function noteOf(
  context: CommandContext,
  command: string,
  { reason, ifRevision }: NoteOptions,
): Promise<Required<ChangeNote>> {
  const { revision } = await needPointer(context);
  return { author: context.author, reason: reason ?? `compose ${command}`, revision: ifRevision ?? revision };
}

function answer(after: PointerInfo, context: CommandContext): void {
  context.answer(after, () => formatRestrictions(after, context).join('\n'));
}
