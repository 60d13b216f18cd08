import { textsOf } from '../../i18n/texts-of.ts';
import { type Release, type Route, routesOf } from '../data/release.ts';
import { type Finding, findingOn, type Rule } from './rule.ts';

const textOf = textsOf('findings');

/** Paths to which the host itself navigates: after signing out, and from `/`. */
const LINKS_OF_HOST = ['/index', '/login'];

/**
 * Checks that no path is declared by two releases or belongs to the host, that no route has a weaker guard
 * than the live one of its path, and that every path a release links to is declared. Labels and the form of
 * paths are validated when a release is published, see release-description.ts.
 */
export const routes: Rule = async ({ host, remotes }, context) => {
  const declared = routesOf(host, remotes);
  // Hosts before 1.5 have a built-in table of routes: declarations of their remotes have no effect.
  if (host.routes.some(({ guard }) => guard === undefined)) return { findings: [], looked: declared.length };
  const releases = [host, ...remotes];
  const findings = [
    ...conflicts(releases),
    ...weakerGuards(declared, await context.guardedBy(), releases),
    ...deadLinks(declared, releases),
  ];
  return { findings, looked: declared.length };
};

function conflicts(releases: readonly Release[]): Finding[] {
  const owners = new Map<string, Release>();
  const found: Finding[] = [];
  for (const release of releases)
    for (const { path } of release.routes) {
      const owner = owners.get(path);
      if (!owner) owners.set(path, release);
      else
        found.push(
          findingOn(
            release,
            textOf('route_taken', { release: release._id, owner: owner._id, path }),
            textOf('other_path', { name: release.name }),
          ),
        );
    }
  return found;
}

function weakerGuards(declared: readonly Route[], live: readonly Route[], releases: readonly Release[]) {
  const before = new Map(live.map((route) => [route.path, route.guard]));
  return declared
    .filter(({ path, guard }) => before.get(path) === 'session' && guard === 'public')
    .map(({ path, remote }) => ({
      remote,
      release: releases.find(({ name }) => name === remote)?._id ?? '',
      message: textOf('weaker_guard', { path }),
      advice: textOf('allow_weaker_guard'),
    }));
}

function deadLinks(declared: readonly Route[], releases: readonly Release[]): Finding[] {
  const paths = new Set(declared.map(({ path }) => path));
  return releases.flatMap((release) => {
    const links = release.name === 'host' ? LINKS_OF_HOST : (release.links ?? []);
    return links
      .filter((path) => !paths.has(path))
      .map((path) =>
        findingOn(release, textOf('link_nowhere', { release: release._id, path }), textOf('declare_path')),
      );
  });
}
