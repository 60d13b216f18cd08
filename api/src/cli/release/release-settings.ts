import semver from 'semver';
import type { RouteDeclaration, RouteGuard } from '../../contract/releases.ts';
import { type Environment, findToken, type Token } from '../desk-settings.ts';
import { CommandFailure } from '../failure.ts';
import type { SayRelease } from '../say.ts';

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

/** --token, RELEASE_TOKEN, OPS_TOKEN, or the token file, see `findToken`. */
export function tokenFor(
  server: string,
  { token }: ReleaseOptions,
  { env, root, say }: { env: Environment; root: string; say: SayRelease },
): Promise<Token> {
  const { RELEASE_TOKEN, OPS_TOKEN } = env;
  const given = { '--token': token, RELEASE_TOKEN, OPS_TOKEN };
  return findToken(server, given, { env, root }, (path, why) =>
    say('noToken', { why: why === 'notLocal' ? say('notLocal') : say('noTokenFile', { path }) }),
  );
}
