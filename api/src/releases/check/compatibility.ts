import semver from 'semver';
import { listOf, type Text, textsOf } from '../../i18n/texts-of.ts';
import type { Release, SharedLibrary } from '../data/release.ts';
import {
  type Candidate,
  type CheckContext,
  type CheckedParts,
  type Finding,
  findingOn,
  type Rule,
} from './rule.ts';

const textOf = textsOf('findings');

export type Part = Omit<Candidate, '_id' | 'version'>;

/** The host's version for the remote, or undefined. Standard remotes get complete libraries only. */
function providedBy(host: Part, library: string, { standard }: Pick<Part, 'standard'>): string | undefined {
  if (standard && host.facades?.includes(library)) return undefined;
  return host.shared.find((shared) => shared.library === library)?.range;
}

/** Whether the host is compatible with a remote built against `contract`. */
function offers(host: Part, contract: string): boolean {
  return semver.valid(contract) !== null && semver.satisfies(host.contract, `^${contract}`);
}

/** Whether the host provides each shared library in a version within the remote's range. */
function provides(host: Part, remote: Part): boolean {
  return remote.shared.every(({ library, range }) => {
    const version = providedBy(host, library, remote);
    return version !== undefined && semver.satisfies(version, range);
  });
}

export function isCompatible(host: Part, remote: Part): boolean {
  return offers(host, remote.contract) && provides(host, remote);
}

/** Advice for a remote that does not fit the host: a release of either that fits, otherwise what to rebuild. */
async function adviseOnMismatch(
  remote: Release,
  parts: CheckedParts,
  { releasesOf }: CheckContext,
  build: Text,
): Promise<Text> {
  const [others, hosts] = await Promise.all([releasesOf(remote.name), releasesOf('host')]);
  // The newest are the first.
  const other = others.find((one) => one._id !== remote._id && isCompatible(parts.host, one));
  const host = hosts.find(
    (one) => one._id !== parts.host._id && parts.remotes.every((own) => isCompatible(one, own)),
  );
  const ways: Text[] = [
    ...(other ? [textOf('choose_release', { other: other._id })] : []),
    ...(host ? [textOf('choose_host', { host: host._id })] : []),
    build,
  ];
  const advice = textOf('advice', { ways: listOf(ways, 'or_else') });
  return (language) => advice(language).replace(/^./u, (first) => first.toUpperCase());
}

/** The host offers each remote's contract: the same major version, and at least its minor one. */
export const contract: Rule = async (parts, context) => {
  const { host, remotes } = parts;
  const unfit = remotes.filter((remote) => !offers(host, remote.contract));
  const findings = unfit.map(async (remote) => {
    const { name, contract } = remote;
    const about = { name, contract, host: host._id, offered: host.contract };
    const advice = await adviseOnMismatch(remote, parts, context, textOf('build_contract', about));
    return findingOn(remote, semver.valid(contract) ? 'contract_differs' : 'contract_invalid', advice, about);
  });
  return { findings: await Promise.all(findings), looked: remotes.length };
};

/**
 * Only the host provides shared libraries, in one version each. So the set is consistent if each range of
 * each remote includes the version that the host provides. Libraries that a standard remote brings itself
 * are not among its `shared`.
 */
export const shared: Rule = async (parts, context) => {
  const needs = parts.remotes.flatMap((remote) => remote.shared.map((need) => ({ remote, need })));
  const findings = await Promise.all(
    needs.map(({ remote, need }) => libraryFinding(remote, need, parts, context)),
  );
  return { findings: findings.filter((finding) => finding !== undefined), looked: needs.length };
};

async function libraryFinding(
  remote: Release,
  { library, range }: SharedLibrary,
  parts: CheckedParts,
  context: CheckContext,
): Promise<Finding | undefined> {
  const { host } = parts;
  const version = providedBy(host, library, remote);
  if (version !== undefined && semver.satisfies(version, range)) return undefined;
  const key =
    version === undefined
      ? 'library_missing'
      : semver.validRange(range) === null
        ? 'range_invalid'
        : 'library_differs';
  const about = { name: remote.name, library, range, host: host._id, version };
  const build = textOf(version === undefined ? 'own_library' : 'build_with_library', about);
  return findingOn(remote, key, await adviseOnMismatch(remote, parts, context, build), about);
}
