import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Language } from '../contract/language.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { CommandFailure } from './failure.ts';

export type Environment = Record<string, string | undefined>;

/** --server, DESK_URL, or this machine with PORT; see `serverAddress`. Throws if it is invalid; `option` is its name in the message. */
export function serverOf(
  { server }: { server?: string },
  env: Environment,
  say: (key: 'badServer', values: Record<string, string>) => string,
  option = '--server',
): string {
  const fromEnv = env.DESK_URL?.trim();
  const given = server ?? (fromEnv || `http://127.0.0.1:${env.PORT?.trim() || 8080}`);
  const address = serverAddress(given);
  if (address !== undefined) return address;
  const from = server ? option : fromEnv ? 'DESK_URL' : 'PORT';
  throw new CommandFailure(2, say('badServer', { from, given }));
}

export interface Token {
  value: string;
  /** Where it was found, for messages. */
  from: string;
}

/** Why the token file was not used. */
type Unused = 'notLocal' | 'fileMissing' | 'fileEmpty' | 'fileForbidden';

/**
 * The token for `server`: the first of `given`, whose keys say where they are from, or the token file of a server on this machine, which is sent
 * to no other server. If missing, throws the message that `explain` makes.
 * @param root folder that contains the default DATA_DIR
 */
export async function findToken(
  server: string,
  given: Environment,
  { env, root = '.' }: { env: Environment; root?: string },
  explain: (path: string, why: Unused) => string,
): Promise<Token> {
  for (const [from, value] of Object.entries(given)) if (value?.trim()) return { value: value.trim(), from };
  const folder = env.DATA_DIR?.trim() || './data';
  const path = resolve(root, env.OPS_TOKEN_FILE?.trim() || join(folder, 'ops-token'));
  const found = isThisMachine(server) ? await readToken(path) : 'notLocal';
  if (typeof found === 'object') return { ...found, from: path };
  throw new CommandFailure(3, explain(path, found), { error: 'ops_token_wrong' });
}

async function readToken(path: string): Promise<{ value: string } | Unused> {
  try {
    const value = (await readFile(path, 'utf8')).trim();
    return value ? { value } : 'fileEmpty';
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'fileMissing' : 'fileForbidden';
  }
}

/** Whether `server` is on this machine: the ops token in the local file must not be sent elsewhere. */
export function isThisMachine(server: string): boolean {
  const { hostname } = new URL(server);
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether a token that is sent to `server` can be read in transit. */
export function isPlainHttp(server: string): boolean {
  return server.startsWith('http:') && !isThisMachine(server);
}

/**
 * Address of the desk without a trailing slash, with the path of its PUBLIC_URL: '/desk' of 'https://example.org/desk'; the address of one of its
 * pages is accepted. undefined if it is none.
 */
export function serverAddress(given: string): string | undefined {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.origin + url.pathname.replace(/(\/chatbot(\/.*)?|\/+)$/, '');
}

/**
 * Throws if `token` cannot be sent in a header, for example because of a line break. The message does not
 * quote the token, since it may be valid apart from that.
 * @param from where the token was found.
 */
export function assertSendable(token: string, from: string, language: Language): void {
  if (/^[\x21-\x7e]+$/.test(token)) return;
  throw new CommandFailure(2, textsOf('cli-usage')('unsendable_token', { from })(language), {
    error: 'ops_token_wrong',
  });
}
