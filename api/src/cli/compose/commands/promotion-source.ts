import type {
  CompositionInfo,
  EnvironmentInfo,
  PointerInfo,
  PromotedFrom,
} from '../../../contract/compositions.ts';
import { assertSendable, isThisMachine } from '../../desk-requests.ts';
import { serverOf } from '../../desk-settings.ts';
import { CommandFailure, Refused } from '../../failure.ts';
import type { CommandContext } from '../context/command-context.ts';
import { createOpsClient } from '../context/ops-client.ts';

/** Where a promotion takes its releases from. */
export interface PromotionSource {
  promotedFrom: PromotedFrom;
  composition: CompositionInfo;
  /** Set if it is another server. */
  other?: { server: string; token: string };
}

/** Whether an environment is given by the address of its server instead of by its name. */
export function isAddress(given: string): boolean {
  return given.includes('://');
}

/**
 * Reads the live composition of the environment `from`: the name of another one in the target's database, or the address
 * of another server. `own` is the target's environment, `all` are the environments of its database.
 */
export async function readSource(
  context: CommandContext,
  { from, fromToken }: { from: string; fromToken?: string },
  { own, all }: { own: string; all: readonly EnvironmentInfo[] },
): Promise<PromotionSource> {
  if (isAddress(from)) return readServer(context, from, fromToken);
  const { say } = context;
  if (from === own) throw new CommandFailure(2, say('promoteToItself', { name: own }));
  const found = all.find(({ name }) => name === from);
  if (!found?.composition) {
    const names = all.filter(({ name }) => name !== own).map(({ name }) => name);
    throw new CommandFailure(2, say('noEnvironment', { name: from, names: names.join(', ') || '—' }));
  }
  const { composition, revision } = found;
  return { promotedFrom: { environment: from, composition: composition.id, revision }, composition };
}

async function readServer(context: CommandContext, address: string, fromToken: string | undefined) {
  const { say, language, env, client } = context;
  const server = serverOf({ server: address }, env, say, '--from');
  if (server === client.server) throw new CommandFailure(2, say('promoteToItself', { name: server }));
  const token = fromToken?.trim() || env.FROM_TOKEN?.trim();
  // The target's token is never sent to another server.
  if (!token) throw new CommandFailure(3, say('noFromToken', { server }), { error: 'ops_token_wrong' });
  assertSendable(token, fromToken?.trim() ? '--from-token' : 'FROM_TOKEN', language);
  if (server.startsWith('http:') && !isThisMachine(server)) context.progress(say('plainHttp', { server }));
  const source = createOpsClient({ server, token, language, say });
  const { composition, revision, environment } = await fromSource(server, context, () =>
    source.get<PointerInfo>('/ops/pointer'),
  );
  if (!environment || !composition.host.digest)
    throw new CommandFailure(3, say('notADesk', { server, status: 200 }), { error: 'unavailable' });
  const promotedFrom = { environment, server, composition: composition.id, revision };
  return { promotedFrom, composition, other: { server, token } };
}

/** Runs `work` on the source's server; refusals name that server instead of the target's. */
export async function fromSource<T>(server: string, { say }: CommandContext, work: () => Promise<T>) {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    const { status, body } = thrown;
    const text =
      status === 401 || status === 403
        ? say('fromTokenWrong', { server, msg: body.msg })
        : say('serverSays', { server, status, msg: body.msg, id: body.requestId });
    throw new CommandFailure(3, text, body);
  }
}
