import type { OverrideLink, OverrideRequest } from '../../../contract/compositions.ts';
import { CommandFailure } from '../../failure.ts';
import { type CommandContext, readCompositionId } from '../context/command-context.ts';
import { clock } from '../context/format.ts';
import type { Sent } from '../context/ops-client.ts';

export interface OverrideOptions {
  composition?: string;
  minutes?: number;
}

/** `compose override mfe-chat http://…/remoteEntry.js` or `--composition <id>`: a link for one browser. */
export async function override(
  context: CommandContext,
  remote: string | undefined,
  address: string | undefined,
  options: OverrideOptions,
): Promise<void> {
  const { client, say, now } = context;
  const link = await client.post<OverrideLink>('/ops/override', requestOf(context, remote, address, options));
  context.answer(link, () =>
    say('overrideLink', {
      url: new URL(link.url, client.server).href,
      until: clock(link.expiresAt, now),
      leave: `${client.server}/chatbot/override/leave`,
    }),
  );
}

function requestOf(
  { say, author }: CommandContext,
  remote: string | undefined,
  address: string | undefined,
  { composition, minutes }: OverrideOptions,
): Sent<OverrideRequest> {
  const shared = { author, minutes };
  if (composition !== undefined && remote === undefined)
    return { ...shared, composition: readCompositionId(composition, say) };
  if (composition !== undefined || remote === undefined || address === undefined)
    throw new CommandFailure(2, say('overrideWhat'));
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new CommandFailure(2, say('badAddress', { given: address }));
  return { ...shared, remote, address };
}
