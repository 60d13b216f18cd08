import { textsOf } from '../../i18n/texts-of.ts';
import type { Release } from '../data/release.ts';
import { type Finding, findingOn, type Rule } from './rule.ts';

const textOf = textsOf('findings');

/** Container name that the federation runtime reserves for the host. */
const hostContainer = 'host';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Containers and chunk registries are found by name: with a duplicate, one remote runs another's code. */
export const names: Rule = ({ host, remotes }) => ({
  findings: [
    ...remotes
      .filter(({ container, standard }) => standard?.type !== 'module' && !IDENTIFIER.test(container))
      .map(noIdentifier),
    ...remotes.filter(({ container }) => container === hostContainer).map((remote) => clash(remote, host)),
    ...pairsBy(remotes, ({ container }) => container).map(([later, first]) => clash(later, first)),
    ...pairsBy([host, ...remotes], ({ name }) => name).map(([later, first]) => sameName(later, first)),
    ...pairsBy([host, ...remotes], registryOf).map(([later, first]) => sameRegistry(later, first)),
  ],
  looked: 1 + remotes.length,
});

/** Name of the chunk registry: that of a standard build, otherwise `output.uniqueName`, as found in style sheets; '' if unknown. */
function registryOf({ files, standard }: Release): string {
  if (standard) return standard.chunks ?? '';
  const mark = files.find((file) => file.mark !== '')?.mark ?? '';
  return mark.slice(0, Math.max(0, mark.lastIndexOf(':chunk-')));
}

/** Pairs each element with an earlier one of the same name. '' is ignored. */
function pairsBy(releases: readonly Release[], nameOf: (release: Release) => string) {
  const firsts = new Map<string, Release>();
  return releases.flatMap((release): [Release, Release][] => {
    const name = nameOf(release);
    const first = name === '' ? undefined : firsts.get(name);
    if (first) return [[release, first]];
    firsts.set(name, release);
    return [];
  });
}

function noIdentifier(release: Release): Finding {
  const { name, _id, container } = release;
  return findingOn(
    release,
    textOf('container_invalid', { release: _id, container }),
    textOf('name_container', { identifier: identifierOf(name) }),
  );
}

function clash(release: Release, other: Release): Finding {
  const { name, _id, container } = release;
  return findingOn(
    release,
    textOf('container_taken', { release: _id, other: other._id, container }),
    textOf('own_container', { identifier: identifierOf(name) }),
  );
}

function sameName(release: Release, other: Release): Finding {
  const { name, _id } = release;
  return findingOn(
    release,
    textOf('remote_twice', { name, other: other._id, release: _id }),
    textOf('choose_one'),
  );
}

function sameRegistry(release: Release, other: Release): Finding {
  const { name, _id } = release;
  const registry = registryOf(release);
  return findingOn(
    release,
    textOf('registry_taken', { release: _id, other: other._id, registry }),
    textOf('own_registry', { name }),
  );
}

function identifierOf(name: string): string {
  return name.replace(/\W/g, '_');
}
