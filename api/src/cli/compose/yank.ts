import type { YankedRelease } from '../../contract/releases.ts';
import type { CommandContext } from './command-context.ts';
import { shortId } from './format.ts';

/** `compose yank mfe-chat@1.4.0 --reason "loses drafts"`, and `unyank`. */
export function yank(action: 'yank' | 'unyank') {
  return async (
    context: CommandContext,
    release: string,
    { reason = `compose ${action} ${release}` }: { reason?: string },
  ): Promise<void> => {
    const { client, say, author } = context;
    const path = `/ops/releases/${encodeURIComponent(release)}/${action}`;
    const after = await client.post<YankedRelease>(path, { author, reason });
    context.answer(after, () => {
      if (action === 'unyank') return say('unyanked', { release });
      const uses = after.uses.map(({ role, ...use }) =>
        say(role === 'live' ? 'yankedLive' : 'yankedCanary', {
          ...use,
          composition: shortId(use.composition),
        }),
      );
      return [say('yanked', { release }), ...uses].join('\n');
    });
  };
}
