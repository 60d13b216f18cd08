import type { RouteGuard } from '../../contract/releases.ts';
import { routesOf } from '../declared-routes.ts';
import type { Release, Route } from '../release.ts';
import type { Finding, Rule } from './rule.ts';

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
        found.push({
          remote: release.name,
          release: release._id,
          message: [
            `${release._id} 和 ${owner._id} 都声明了 /chatbot${path}`,
            `${release._id} and ${owner._id} both declare /chatbot${path}`,
          ],
          advice: [
            `请为 ${release.name} 换一个路径后重新发布，或不要同时选用这两个版本`,
            `Give the route of ${release.name} another path and publish it, or choose only one of the two`,
          ],
        });
    }
  return found;
}

function weakerGuards(
  declared: readonly Route[],
  live: readonly Route[],
  releases: readonly Release[],
): Finding[] {
  const before = new Map(live.map((route) => [route.path, route.guard]));
  return declared
    .filter(({ path, guard }) => isWeaker(guard, before.get(path)))
    .map(({ path, remote }) => ({
      ...named(remote, releases),
      message: [
        `/chatbot${path} 现在需要登录，换成这个版本后任何人都能打开`,
        `/chatbot${path} needs a session now, and would be open to everybody`,
      ],
      advice: [
        '如果确实如此，请加 --allow-weaker-guard；否则请恢复原来的 guard 后重新发布',
        'Add --allow-weaker-guard if that is intended; otherwise restore the guard and publish the release again',
      ],
    }));
}

function isWeaker(guard: RouteGuard | undefined, before: RouteGuard | undefined): boolean {
  return before === 'session' && guard === 'public';
}

function deadLinks(declared: readonly Route[], releases: readonly Release[]): Finding[] {
  const paths = new Set(declared.map(({ path }) => path));
  return releases.flatMap((release) => {
    const links = release.name === 'host' ? LINKS_OF_HOST : (release.links ?? []);
    return links
      .filter((path) => !paths.has(path))
      .map(
        (path): Finding => ({
          remote: release.name,
          release: release._id,
          message: [
            `${release._id} 链接到 /chatbot${path}，而组合中没有版本声明这个路径`,
            `${release._id} links to /chatbot${path}, which no release of the composition declares`,
          ],
          advice: [
            '请加上声明这个路径的模块，或选用不链接到它的版本',
            'Add a release that declares this path, or choose one that does not link to it',
          ],
        }),
      );
  });
}

function named(remote: string, releases: readonly Release[]): { remote: string; release: string } {
  return { remote, release: releases.find(({ name }) => name === remote)?._id ?? '' };
}
