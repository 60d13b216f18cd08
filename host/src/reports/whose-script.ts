import type { Composition } from '../remotes/composition.ts';

export interface Whose {
  remote: string;
  version: string;
}

/**
 * Tells by the addresses of scripts, the innermost first, whose code it was: the first remote's among them, else the host's.
 * undefined for what is nobody's here, a browser's extension say.
 */
export function createWhoseScript(
  { host, remotes }: Composition,
  origin: string,
): (addresses: readonly string[]) => Whose | undefined {
  const bases = new Map<string, Whose>();
  for (const [remote, { previous, ...live }] of Object.entries(remotes))
    for (const release of previous ? [live, previous] : [live])
      bases.set(new URL('.', new URL(release.entry, origin)).href, { remote, version: release.version });
  const ours: Whose = { remote: 'host', version: host.version };

  return (addresses) => {
    for (const address of addresses)
      for (const [base, whose] of bases) if (address.startsWith(base)) return whose;
    const isOurs = addresses.length === 0 || addresses.some((address) => address.startsWith(`${origin}/`));
    return isOurs ? ours : undefined;
  };
}
