import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { isThisMachine, serverAddress } from '../../desk-requests.ts';
import { CommandFailure } from '../../failure.ts';
import type { Say } from '../../say.ts';

export type Environment = Record<string, string | undefined>;

export interface CommonOptions {
  server?: string;
  token?: string;
  author?: string;
  json?: boolean;
}

/** See `serverAddress`. Throws if it is invalid. */
export function serverOf({ server }: CommonOptions, env: Environment, say: Say, option = '--server'): string {
  const given = server ?? (env.DESK_URL?.trim() || `http://127.0.0.1:${env.PORT?.trim() || 8080}`);
  const address = serverAddress(given);
  if (address !== undefined) return address;
  const from = server ? option : env.DESK_URL?.trim() ? 'DESK_URL' : 'PORT';
  throw new CommandFailure(2, say('badServer', { from, given }));
}

/**
 * The ops token for `server`: --token, OPS_TOKEN, or the token file of a server on this machine, which is
 * sent to no other server. If missing, throws a message that names these places.
 */
export async function tokenOf(
  server: string,
  { token }: CommonOptions,
  env: Environment,
  say: Say,
): Promise<string> {
  const given = token?.trim() || env.OPS_TOKEN?.trim();
  if (given) return given;
  const path = tokenPath(env);
  if (!isThisMachine(server))
    throw new CommandFailure(3, say('noTokenForRemote', { server, path }), { error: 'ops_token_wrong' });
  try {
    const kept = (await readFile(path, 'utf8')).trim();
    if (kept) return kept;
    throw Object.assign(new Error('it is empty'), { code: 'EMPTY' });
  } catch (cause) {
    const why = say(whyUnread((cause as NodeJS.ErrnoException).code));
    throw new CommandFailure(3, say('noToken', { path, why }), { error: 'ops_token_wrong' });
  }
}

export function tokenSource({ token }: CommonOptions, env: Environment): string {
  if (token?.trim()) return '--token';
  return env.OPS_TOKEN?.trim() ? 'OPS_TOKEN' : tokenPath(env);
}

function tokenPath(env: Environment): string {
  return resolve(env.OPS_TOKEN_FILE?.trim() || join(env.DATA_DIR?.trim() || './data', 'ops-token'));
}

function whyUnread(code: string | undefined): 'fileMissing' | 'fileEmpty' | 'fileForbidden' {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'fileMissing';
  return code === 'EMPTY' ? 'fileEmpty' : 'fileForbidden';
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
