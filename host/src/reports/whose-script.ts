import type { Composition } from '../remotes/composition.ts';

export interface Whose {
  remote: string;
  version: string;
}

/**
 * Tells by the addresses of scripts, the innermost first, whose code it was: the first remote's among them, else the host's.
 * undefined for what is nobody's here, a browser's extension say. Releases of one remote may share a folder: there it is the one
 * that `isShown`, else the live one.
 */
export function createWhoseScript(
  { host, remotes }: Composition,
  origin: string,
  isShown: (whose: Whose) => boolean,
): (addresses: readonly string[]) => Whose | undefined {
  const releases = Object.entries(remotes).flatMap(([remote, { previous, ...live }]) =>
    (previous ? [live, previous] : [live]).map(({ entry, version }) => {
      const { href } = new URL(entry, origin);
      return { whose: { remote, version }, entry: href, base: new URL('.', href).href };
    }),
  );
  const ours: Whose = { remote: 'host', version: host.version };

  return (addresses) => {
    for (const address of addresses) {
      const those = releases.filter(({ base }) => address.startsWith(base));
      const found =
        those.find(({ entry }) => entry === address) ?? those.find(({ whose }) => isShown(whose)) ?? those[0];
      if (found) return found.whose;
    }
    const isOurs = addresses.length === 0 || addresses.some((address) => address.startsWith(`${origin}/`));
    return isOurs ? ours : undefined;
  };
}
