import type { Release } from '../release.ts';
import type { Finding, Rule } from './rule.ts';

/** Container name that the federation runtime reserves for the host. */
const hostContainer = 'host';

/**
 * Federation containers and chunk registries are identified by name only: with a duplicate name, one remote
 * would run the other's code.
 */
export const names: Rule = ({ host, remotes }) => ({
  findings: [
    ...remotes
      .filter(({ container, standard }) => standard?.type !== 'module' && !isIdentifier(container))
      .map(noIdentifier),
    ...remotes.filter(({ container }) => container === hostContainer).map((remote) => clash(remote, host)),
    ...pairsBy(remotes, ({ container }) => container).map(([later, first]) => clash(later, first)),
    ...pairsBy([host, ...remotes], ({ name }) => name).map(([later, first]) => sameName(later, first)),
    ...pairsBy([host, ...remotes], registryOf).map(([later, first]) => sameRegistry(later, first)),
  ],
  looked: 1 + remotes.length,
});

function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

/** Name of the chunk registry: that of a standard build, otherwise `output.uniqueName`, as found in style sheets; '' if unknown. */
function registryOf({ files, standard }: Release): string {
  if (standard) return standard.chunks ?? '';
  const mark = files.find((file) => file.mark !== '')?.mark ?? '';
  return mark.slice(0, Math.max(0, mark.lastIndexOf(':chunk-')));
}

/** Pairs each element with an earlier one of the same name. '' is ignored. */
function pairsBy(
  releases: readonly Release[],
  nameOf: (release: Release) => string,
): [later: Release, first: Release][] {
  const firsts = new Map<string, Release>();
  return releases.flatMap((release): [Release, Release][] => {
    const name = nameOf(release);
    const first = name === '' ? undefined : firsts.get(name);
    if (first) return [[release, first]];
    firsts.set(name, release);
    return [];
  });
}

function noIdentifier({ name, _id, container }: Release): Finding {
  return {
    remote: name,
    release: _id,
    message: [
      `${_id} 的容器名 "${container}" 不是合法的标识符`,
      `The container name of ${_id} must be an identifier, got "${container}"`,
    ],
    advice: [
      `请在构建中把容器名改为例如 "${identifierOf(name)}"，并发布新版本`,
      `Name the container "${identifierOf(name)}" in its build, for example, and publish a new version`,
    ],
  };
}

function clash({ name, _id, container }: Release, other: Release): Finding {
  return {
    remote: name,
    release: _id,
    message: [
      `${_id} 与 ${other._id} 使用同一个容器名 "${container}"`,
      `${_id} has the container name "${container}", and so has ${other._id}`,
    ],
    advice: [
      `请给其中一个改用自己的容器名（例如 "${identifierOf(name)}"）并发布新版本，或从组合中去掉一个`,
      `Give one of them a container name of its own (such as "${identifierOf(name)}") and publish a new version, or leave one out`,
    ],
  };
}

function sameName({ name, _id }: Release, other: Release): Finding {
  return {
    remote: name,
    release: _id,
    message: [
      `组合中 ${name} 出现了两次：${other._id} 和 ${_id}`,
      `${name} is in the composition twice: ${other._id} and ${_id}`,
    ],
    advice: [`请只选其中一个版本`, `Choose one of them`],
  };
}

function sameRegistry(release: Release, other: Release): Finding {
  const registry = registryOf(release);
  return {
    remote: release.name,
    release: release._id,
    message: [
      `${release._id} 与 ${other._id} 构建时使用了同一个 uniqueName "${registry}"，会互相使用对方的代码块`,
      `${release._id} and ${other._id} were built with the same uniqueName, "${registry}", and would run each other's chunks`,
    ],
    advice: [
      `请把 ${release.name} 构建中的 output.uniqueName 设为它自己的名称，并发布新版本`,
      `Set output.uniqueName of ${release.name}'s build to its own name, and publish a new version`,
    ],
  };
}

function identifierOf(name: string): string {
  return name.replace(/\W/g, '_');
}
