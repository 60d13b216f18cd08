import { chooseFallbacks } from './choose-fallbacks.ts';
import { compose, isSameChoice, keepComposition } from './compose.ts';
import type { Composition } from './composition.ts';
import type { ReleaseHealth } from './health/release-health.ts';
import { movePointer, readPointer } from './move-pointer.ts';
import { type PublishDeps, publishRelease } from './publish-release.ts';
import { readBuild } from './read-build.ts';
import type { Release } from './release.ts';

/** The author of what is published at a start. As long as a start was the last to move the pointer, the next may go on. */
export const START = 'start';

/**
 * `live`: the builds are what visitors get, `moved` when this call made them so. `kept`: operations chose what is live, and
 * `command` is what would put the builds in its place.
 */
export type Published =
  | { kind: 'live'; composition: string; moved: boolean }
  | { kind: 'kept'; composition: string; command: string };

export interface PublishBuildsDeps extends PublishDeps {
  /** Without it nothing is known of any release. */
  health?: ReleaseHealth;
}

/** So many lost races in a row mean that something other than other starts moves the pointer. */
const ATTEMPTS = 20;

/**
 * Publishes the builds in `folders` (each a workspace's `dist/`) as releases and makes them live, unless operations have chosen
 * otherwise. May be called again, killed midway, or run in several processes at once: every step is found done or is done again.
 */
export async function publishBuilds(folders: readonly string[], deps: PublishBuildsDeps): Promise<Published> {
  const builds = await Promise.all(folders.map(readBuild));
  const releases = await Promise.all(builds.map((build) => publishRelease(build, deps)));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const published = await tryToGoLive(releases, deps);
    if (published) return published;
  }
  throw new Error(`the live pointer was moved by others ${ATTEMPTS} times in a row`);
}

/** undefined when the pointer was moved by somebody else in between. */
async function tryToGoLive(
  releases: Release[],
  { store, now, health }: PublishBuildsDeps,
): Promise<Published | undefined> {
  const pointer = await readPointer(store);
  const live = pointer && (await store.compositions.findById(pointer.composition).lean<Composition>());
  const choice = { releases, parent: live, author: START, reason: 'npm start', createdAt: now() };
  const verdicts = (await health?.verdicts()) ?? new Map();
  const fallbacks = await chooseFallbacks(compose(choice), live, verdicts, store);
  const wanted = compose({ ...choice, fallbacks });
  if (live && isSameChoice(live, wanted)) return { kind: 'live', composition: live._id, moved: false };
  // Whoever went back to what a start had published has chosen it, as has who tries or ends a canary.
  if (pointer && live && (pointer.last.kind !== 'start' || live.author !== START))
    return { kind: 'kept', composition: live._id, command: commandFor(wanted, live) };
  await keepComposition(wanted, store);
  const note = { kind: 'start', author: START, reason: wanted.reason } as const;
  const moved = await movePointer(store, pointer, { composition: wanted._id }, note, now());
  return moved ? { kind: 'live', composition: wanted._id, moved } : undefined;
}

function commandFor(wanted: Composition, live: Composition): string {
  const standing = new Set([live.host, ...live.remotes].map(({ release }) => release));
  const others = [wanted.host, ...wanted.remotes]
    .map(({ release }) => release)
    .filter((name) => !standing.has(name));
  return `npm run compose -- set ${others.join(' ')}`;
}
