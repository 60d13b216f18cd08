import type { PointerInfo, RollBack } from '../../contract/compositions.ts';
import { readCompositionId } from './choice.ts';
import type { CommandContext } from './command-context.ts';
import { needPointer } from './read-pointer.ts';
import { formatMoved } from './set.ts';

/** `compose rollback [to]`: goes back to the previous composition, or to another one. */
export async function rollback(
  context: CommandContext,
  to: string | undefined,
  { reason, ifRevision, force }: { reason?: string; ifRevision?: number; force?: boolean },
): Promise<void> {
  const { client, say, author } = context;
  const aim = to === undefined ? {} : { to: readCompositionId(to, say) };
  const before = await needPointer(context);
  const after = await client.post<PointerInfo>('/ops/pointer/rollback', {
    ...aim,
    ...(force ? { force } : {}),
    author,
    reason: reason ?? ['compose rollback', to ?? ''].join(' ').trim(),
    revision: ifRevision ?? before.revision,
  } satisfies RollBack);
  context.answer(after, () =>
    after.revision === before.revision ? say('alreadyLive') : formatMoved(before, after, context),
  );
}
