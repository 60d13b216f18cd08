import type { FreezeRequest, PinRequest, PointerInfo } from '../../../contract/compositions.ts';
import { type CommandContext, type NoteOptions, needPointer, noteOf } from '../context/command-context.ts';
import { clock } from '../context/format.ts';
import type { Sent } from '../context/ops-client.ts';

/**
 * `compose freeze --until 2026-12-01T08:00 --reason "release week"`, and `unfreeze`; with a remote `compose pin mfe-chat --reason "waiting
 * for legal"`, and `unpin`.
 */
export async function restrict(
  context: CommandContext,
  action: 'freeze' | 'unfreeze' | 'pin' | 'unpin',
  { until, ...options }: NoteOptions & { until?: Date },
  remote?: string,
): Promise<void> {
  const { client, say } = context;
  const command = remote === undefined ? action : `${action} ${remote}`;
  const note = noteOf(context, await needPointer(context), command, options);
  const body = { ...note, remote, until: until?.toISOString() } satisfies Sent<
    Partial<FreezeRequest & PinRequest>
  >;
  const after = await client.post<PointerInfo>(`/ops/${action}`, body);
  context.answer(after, () => {
    if (action === 'unfreeze') return say('unfrozen');
    if (action === 'unpin') return say('unpinned', { part: remote });
    return formatRestrictions(after, context).join('\n');
  });
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
