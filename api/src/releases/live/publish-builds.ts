import type { MoveKind } from '../../contract/compositions.ts';
import { changesBetween, releasesOf } from '../data/changes-between.ts';
import { type Composition, readComposition } from '../data/composition-store.ts';
import { movePointer, readPointer } from '../data/move-pointer.ts';
import { type Pointer, restrictionOf } from '../data/pointer.ts';
import type { Release } from '../data/release.ts';
import type { ReleaseHealth } from '../health/release-health.ts';
import { createEncoder } from '../publish/encode.ts';
import { type PublishDeps, publishRelease, repairRelease } from '../publish/publish-release.ts';
import { readBuild } from '../publish/read-build.ts';
import { chooseFallbacks, compose, isSameChoice, storeComposition } from './compose.ts';

/** Author of compositions of a start. After a move by a start, the next one may move the pointer. */
const START = 'start';

/**
 * `live`: visitors get the builds; `moved` if this call made them live. `kept`: operations chose the live
 * composition, and `command` would replace it by the builds.
 */
export type Published =
  | { kind: 'live'; composition: string; moved: boolean }
  | { kind: 'kept'; composition: string; command: string };

export interface PublishBuildsDeps extends PublishDeps {
  /** If omitted, no release has a known verdict. */
  health?: ReleaseHealth;
}

/** Maximum number of attempts: more lost races mean that something other than concurrent starts moves the pointer. */
const MAX_ATTEMPTS = 20;

/**
 * Publishes the builds in `folders` (the `dist/` of each workspace) as releases and makes them live, unless
 * operations chose otherwise. Idempotent: may be repeated, killed at any point, or run in several processes
 * at once.
 */
export async function publishBuilds(folders: readonly string[], deps: PublishBuildsDeps): Promise<Published> {
  const builds = await Promise.all(folders.map(readBuild));
  const ensureEncoded = createEncoder(deps);
  const releases = await Promise.all(builds.map((build) => publishRelease(build, deps, ensureEncoded)));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const published = await tryToGoLive(releases, deps);
    if (published) return published;
  }
  throw new Error(`the live pointer was moved by others ${MAX_ATTEMPTS} times in a row`);
}

/** Restores their lost or corrupted files. As long as the rest of a start, and not needed for serving. */
export async function repairBuilds(folders: readonly string[], deps: PublishDeps): Promise<void> {
  const ensureEncoded = createEncoder(deps);
  for (const folder of folders) {
    const build = await readBuild(folder);
    // Built again meanwhile, it is none of the published ones.
    const release = await deps.store.releases
      .findOne({ name: build.name, digest: build.digest, publishedAt: { $ne: null }, removed: null })
      .lean();
    if (release) await repairRelease(release, build, deps, ensureEncoded);
  }
}

/** undefined if the pointer was moved concurrently. */
async function tryToGoLive(
  releases: Release[],
  { store, now, health }: PublishBuildsDeps,
): Promise<Published | undefined> {
  const pointer = await readPointer(store);
  const live = pointer && (await readComposition(store, pointer.composition));
  const choice = { releases, parent: live, author: START, reason: 'npm start', createdAt: now() };
  const verdicts = (await health?.verdicts()) ?? new Map();
  const fallbacks = await chooseFallbacks(compose(choice), live, verdicts, store);
  const wanted = compose({ ...choice, fallbacks });
  if (live && isSameChoice(live, wanted)) return { kind: 'live', composition: live._id, moved: false };
  const yanked = releases.find((release) => release.yanked && !releasesOf(live).includes(release._id));
  if (yanked && !live) throw new Error(`${yanked._id} was yanked: ${yanked.yanked?.reason}`);
  if (pointer && live && (yanked || (await isChosenByOperators(pointer, live, wanted, { store, now }))))
    return { kind: 'kept', composition: live._id, command: commandFor(wanted, live) };
  await storeComposition(wanted, store);
  const note = { kind: 'start', author: START, reason: wanted.reason } as const;
  const moved = await movePointer(store, pointer, { composition: wanted._id }, note, now());
  return moved ? { kind: 'live', composition: wanted._id, moved } : undefined;
}

/** Moves that do not choose the live composition. */
const NEUTRAL: readonly MoveKind[] = ['freeze', 'unfreeze', 'pin', 'unpin', 'yank', 'unyank'];

/**
 * A rollback to a composition of a start is a choice of operations; so is starting or ending a canary, and a
 * freeze or pin that concerns the builds.
 */
async function isChosenByOperators(
  pointer: Pointer,
  live: Composition,
  wanted: Composition,
  { store, now }: Pick<PublishBuildsDeps, 'store' | 'now'>,
): Promise<boolean> {
  const changed = changesBetween(live, wanted).map(({ name }) => name);
  if (live.author !== START || restrictionOf(pointer, changed, now())) return true;
  const { kind } = pointer.last;
  if (!NEUTRAL.includes(kind)) return kind !== START;
  const last = await store.moves
    .findOne({ kind: { $nin: NEUTRAL } })
    .sort({ _id: -1 })
    .lean();
  return last?.kind !== START;
}

function commandFor(wanted: Composition, live: Composition): string {
  const others = releasesOf(wanted).filter((release) => !releasesOf(live).includes(release));
  return `npm run compose -- set ${others.join(' ')}`;
}
