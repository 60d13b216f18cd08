import type { Composition } from '../remotes/composition.ts';

export interface ReleaseName {
  remote: string;
  version: string;
}

/**
 * Finds the release whose code threw, by the addresses of scripts, innermost first: the first remote among them, otherwise the host;
 * undefined for scripts of other origins, such as browser extensions. If releases of a remote share a folder, prefers the one that
 * `isShown`, otherwise the live one.
 */
export function createReleaseOfScript(
  { host, remotes }: Composition,
  origin: string,
  isShown: (release: ReleaseName) => boolean,
): (addresses: readonly string[]) => ReleaseName | undefined {
  const releases = Object.entries(remotes).flatMap(([remote, { previous, ...live }]) =>
    (previous ? [live, previous] : [live]).map(({ entry, version, standard }) => {
      const { href } = new URL(entry, origin);
      const base = new URL(standard?.base ?? '.', standard ? origin : href).href;
      return { release: { remote, version }, entry: href, base };
    }),
  );
  const hostRelease: ReleaseName = { remote: 'host', version: host.version };

  return (addresses) => {
    for (const address of addresses) {
      const candidates = releases.filter(({ base }) => address.startsWith(base));
      const found =
        candidates.find(({ entry }) => entry === address) ??
        candidates.find(({ release }) => isShown(release)) ??
        candidates[0];
      if (found) return found.release;
    }
    const isHost = addresses.length === 0 || addresses.some((address) => address.startsWith(`${origin}/`));
    return isHost ? hostRelease : undefined;
  };
}
