import type { FreezeRequest, PinRequest, PointerInfo } from '../../../contract/compositions.ts';
import { type CommandContext, type NoteOptions, needPointer, noteOf } from '../context/command-context.ts';
import { clock } from '../context/format.ts';
import type { Sent } from '../context/ops-client.ts';

type Given = [options: RestrictOptions] | [remote: string, options: RestrictOptions];
type RestrictOptions = NoteOptions & { until?: Date };

/**
 * `compose freeze --until 2026-12-01T08:00 --reason "release week"`, and `unfreeze`; with a remote `compose pin mfe-chat --reason "waiting
 * for legal"`, and `unpin`.
 */
export function restrict(action: 'freeze' | 'unfreeze' | 'pin' | 'unpin') {
  return async (context: CommandContext, ...given: Given): Promise<void> => {
    const [remote, { until, ...options }] = given.length === 1 ? [undefined, given[0]] : given;
    const { client, say } = context;
    const command = remote === undefined ? action : `${action} ${remote}`;
    const note = noteOf(context, await needPointer(context), command, options);
    const body: Sent<Partial<FreezeRequest & PinRequest>> = { ...note, remote, until: until?.toISOString() };
    const after = await client.post<PointerInfo>(`/ops/${action}`, body);
    context.answer(after, () => {
      if (action === 'unfreeze') return say('unfrozen');
      if (action === 'unpin') return say('unpinned', { part: remote });
      return formatRestrictions(after, context).join('\n');
    });
  };
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
