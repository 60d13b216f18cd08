import { userInfo } from 'node:os';
import type { Language } from '../../../contract/language.ts';
import { assertSendable } from '../../desk-requests.ts';
import { type Environment, findToken, serverOf } from '../../desk-settings.ts';
import type { Say } from '../../say.ts';
import { createOpsClient } from './ops-client.ts';

export interface CommonOptions {
  server?: string;
  token?: string;
  author?: string;
  json?: boolean;
}

/** A client of the desk that the options name, and the token that it sends. */
export async function openDesk(
  options: CommonOptions,
  { env, say, language }: { env: Environment; say: Say; language: Language },
) {
  const server = serverOf(options, env, say);
  const token = await tokenOf(server, options, env, say);
  assertSendable(token.value, token.from, language);
  return { client: createOpsClient({ server, token: token.value, language, say }), token };
}

/** --token, OPS_TOKEN, or the token file, see `findToken`. */
export function tokenOf(server: string, { token }: CommonOptions, env: Environment, say: Say) {
  return findToken(server, { '--token': token, OPS_TOKEN: env.OPS_TOKEN }, { env }, (path, why) =>
    why === 'notLocal' ? say('noTokenForRemote', { server, path }) : say('noToken', { path, why: say(why) }),
  );
}

/** Author for the history: --author, else the current system user. */
export function authorOf({ author }: CommonOptions, env: Environment): string {
  return (author?.trim() || osUser() || env.USER || 'ops').slice(0, 100);
}

function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // The user in a container may have no name.
    return '';
  }
}
