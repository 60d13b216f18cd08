import semver from 'semver';
import { listOf, type Text, textsOf } from '../../i18n/texts-of.ts';
import type { Release } from '../data/release.ts';
import type { Candidate, CheckContext, CheckedParts } from './rule.ts';

export type Part = Pick<
  Candidate,
  'name' | 'contract' | 'shared' | 'exposes' | 'routes' | 'standard' | 'facades'
>;

/** The host's version for the remote, or undefined. Standard remotes get complete libraries only. */
export function providedBy(
  host: Part,
  library: string,
  { standard }: Pick<Part, 'standard'>,
): string | undefined {
  if (standard && host.facades?.includes(library)) return undefined;
  return host.shared.find((shared) => shared.library === library)?.range;
}

/** Whether the host is compatible with a remote built against `contract`. */
export function offers(host: Part, contract: string): boolean {
  return semver.valid(contract) !== null && semver.satisfies(host.contract, `^${contract}`);
}

/** Whether the host provides each shared library in a version within the remote's range. */
export function provides(host: Part, remote: Part): boolean {
  return remote.shared.every(({ library, range }) => {
    const version = providedBy(host, library, remote);
    return version !== undefined && semver.satisfies(version, range);
  });
}

/** Whether `remote` exposes each of its screens that the host's routes show. */
export function shows(host: Part, remote: Part): boolean {
  return host.routes
    .filter((route) => route.remote === remote.name && remote.routes.length === 0)
    .every(({ module }) => remote.exposes.some(({ name }) => name === module));
}

export function isCompatible(host: Part, remote: Part): boolean {
  return offers(host, remote.contract) && provides(host, remote) && shows(host, remote);
}

/** The newest release of the remote, other than the chosen one, that is compatible with this host. */
export function compatibleRelease(
  parts: CheckedParts,
  chosen: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  return candidates.find((candidate) => candidate._id !== chosen && isCompatible(parts.host, candidate));
}

/** The newest release of the host that is compatible with every remote of the composition. */
export function compatibleHost(parts: CheckedParts, hosts: readonly Candidate[]): Candidate | undefined {
  return hosts.find(
    (host) => host._id !== parts.host._id && parts.remotes.every((remote) => isCompatible(host, remote)),
  );
}

const textOf = textsOf('findings');

/** For a remote that does not fit the host: a release of either that does, or else what to rebuild. */
export async function adviseOnMismatch(
  remote: Release,
  parts: CheckedParts,
  { releasesOf }: CheckContext,
  build: Text,
): Promise<Text> {
  const [others, hosts] = await Promise.all([releasesOf(remote.name), releasesOf('host')]);
  const other = compatibleRelease(parts, remote._id, others);
  const host = compatibleHost(parts, hosts);
  const ways: Text[] = [
    ...(other ? [textOf('choose_release', { other: other._id })] : []),
    ...(host ? [textOf('choose_host', { host: host._id })] : []),
    build,
  ];
  const advice = textOf('advice', { ways: listOf(ways, 'or_else') });
  return (language) => capitalised(advice(language));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
