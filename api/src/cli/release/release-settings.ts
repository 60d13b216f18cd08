import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import semver from 'semver';
import type { RouteDeclaration, RouteGuard } from '../../contract/releases.ts';
import { isThisMachine, serverAddress } from '../desk-requests.ts';
import { CommandFailure } from '../failure.ts';
import type { SayRelease } from '../say.ts';

export type Environment = Record<string, string | undefined>;

export interface ReleaseOptions {
  server?: string;
  token?: string;
  version?: string;
  folder?: string;
  address?: string;
  name?: string;
  desk?: string;
  /** Routes of a standard build: path, module, guard and both titles, separated by commas. */
  route?: string[];
  dryRun?: boolean;
  /** Publishes a build that the live host could not open. */
  force?: boolean;
  json?: boolean;
}

export interface Token {
  value: string;
  /** Where it was found, for error messages. */
  from: string;
}

/** Throws if the options are invalid, before anything is built. */
export function assertOptions({ version, address }: ReleaseOptions, say: SayRelease): void {
  if (version !== undefined && (semver.parse(version)?.raw !== version || !/^\d/.test(version)))
    throw new CommandFailure(2, say('badVersion', { given: version }));
  const isFolder =
    address === undefined ||
    (URL.canParse(address) && /^https?:\/\//.test(address) && new URL(address).href === address);
  if (!isFolder || address?.endsWith('/') === false)
    throw new CommandFailure(2, say('badAddress', { given: address ?? '' }));
}

/** The routes of --route. @throws CommandFailure if one does not have its five fields. */
export function routesOf({ route = [] }: ReleaseOptions, say: SayRelease): RouteDeclaration[] {
  return route.map((given) => {
    const [path = '', module = '', guard = '', zh = '', en = '', ...rest] = given
      .split(',')
      .map((field) => field.trim());
    if (!en || rest.length > 0) throw new CommandFailure(2, say('badRoute', { given }));
    return { path, module, guard: guard as RouteGuard, title: { zh, en } };
  });
}

/** See `serverAddress`. Throws if it is invalid. */
export function deskOf({ server }: ReleaseOptions, env: Environment, say: SayRelease): string {
  const fromEnv = env.DESK_URL?.trim();
  const given = server ?? (fromEnv || `http://127.0.0.1:${env.PORT?.trim() || 8080}`);
  const address = serverAddress(given);
  if (address !== undefined) return address;
  throw new CommandFailure(
    2,
    say('badServer', { from: server ? '--server' : fromEnv ? 'DESK_URL' : 'PORT', given }),
  );
}

/**
 * --token, RELEASE_TOKEN, OPS_TOKEN, or the token file of a server on this machine, which is sent to no other
 * server.
 * @param root the project's root folder, which contains the default DATA_DIR.
 */
export async function tokenFor(
  server: string,
  { token }: ReleaseOptions,
  { env, root, say }: { env: Environment; root: string; say: SayRelease },
): Promise<Token> {
  const given: [string, string | undefined][] = [
    ['--token', token],
    ['RELEASE_TOKEN', env.RELEASE_TOKEN],
    ['OPS_TOKEN', env.OPS_TOKEN],
  ];
  for (const [from, value] of given) if (value?.trim()) return { value: value.trim(), from };
  const refuse = (why: string) =>
    new CommandFailure(3, say('noToken', { why }), { error: 'ops_token_wrong' });
  if (!isThisMachine(server)) throw refuse(say('notLocal'));
  const path = resolve(
    root,
    env.OPS_TOKEN_FILE?.trim() || join(env.DATA_DIR?.trim() || './data', 'ops-token'),
  );
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept.trim() === '') throw refuse(say('noTokenFile', { path }));
  return { value: kept.trim(), from: path };
}
