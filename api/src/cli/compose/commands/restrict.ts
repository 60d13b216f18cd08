import type { FreezeRequest, PinRequest, PointerInfo } from '../../../contract/compositions.ts';
import { type CommandContext, type NoteOptions, needPointer, noteOf } from '../context/command-context.ts';
import { clock } from '../context/format.ts';

/** `compose freeze --until 2026-12-01T08:00 --reason "release week"`. */
export async function freeze(context: CommandContext, { until, ...options }: NoteOptions & { until: Date }) {
  const note = noteOf(context, await needPointer(context), 'freeze', options);
  const body = { ...note, until: until.toISOString() } satisfies FreezeRequest;
  answer(await context.client.post<PointerInfo>('/ops/freeze', body), context);
}

/** `compose unfreeze`. */
export async function unfreeze(context: CommandContext, options: NoteOptions): Promise<void> {
  const note = noteOf(context, await needPointer(context), 'unfreeze', options);
  const after = await context.client.post<PointerInfo>('/ops/unfreeze', note);
  context.answer(after, () => context.say('unfrozen'));
}

/** `compose pin mfe-chat --reason "waiting for legal"`. */
export async function pin(context: CommandContext, remote: string, options: NoteOptions): Promise<void> {
  const body = {
    ...noteOf(context, await needPointer(context), 'pin', options),
    remote,
  } satisfies PinRequest;
  answer(await context.client.post<PointerInfo>('/ops/pin', body), context);
}

/** `compose unpin mfe-chat`. */
export async function unpin(context: CommandContext, remote: string, options: NoteOptions): Promise<void> {
  const note = noteOf(context, await needPointer(context), `unpin ${remote}`, options);
  const body = { ...note, remote } satisfies PinRequest;
  const after = await context.client.post<PointerInfo>('/ops/unpin', body);
  context.answer(after, () => context.say('unpinned', { part: remote }));
}

/** The freeze and pins that prevent changes, one per line. */
export function formatRestrictions(
  { freeze, pins }: PointerInfo,
  { say, now }: Pick<CommandContext, 'say' | 'now'>,
): string[] {
  return [
    ...(freeze ? [say('frozenUntil', { ...freeze, until: clock(freeze.until, now) })] : []),
    ...pins.map((pin) => say('pinnedBy', pin)),
  ];
}

function answer(after: PointerInfo, context: CommandContext): void {
  context.answer(after, () => formatRestrictions(after, context).join('\n'));
}
