import { partsOf } from '../data/changes-between.ts';
import { type CompositionStore, storesOf } from '../data/composition-store.ts';
import { readPointer } from '../data/move-pointer.ts';
import { shownCompositions } from '../data/pointer.ts';
import type { Release } from '../data/release.ts';
import { isElsewhere } from '../data/release-keys.ts';
import { keysOf } from './encode.ts';
import { type PublishDeps, removalOf } from './publish-release.ts';

const day = 86_400_000;
/** Time from marking to deletion, in ms: longer than any request that uses a release it has read. */
const GRACE_MS = 10 * 60_000;
/** Time after which another process may take over an unfinished removal, in ms. */
const ABANDONED_AFTER_MS = 60 * 60_000;
/** Time without new data after which a claim is removed, in ms. */
const UNFINISHED_AFTER_MS = day;

export interface SweptReleases {
  marked: string[];
  kept: string[];
  gone: string[];
}

/**
 * Removes releases that were published more than `days` days ago and that no composition of that period
 * names, and abandoned claims. May be killed at any point and run in several processes at once:
 * 1. A release is marked: it is no longer published, so that it cannot be chosen any more.
 * 2. In a later sweep, a release that has been referenced nevertheless is restored.
 * 3. Any other is assigned to one process, which deletes its files and then its description. Name and digest
 * stay permanently, so that no other content takes its place in compositions that named it. A claim is
 * deleted completely.
 */
export async function sweepReleases(days: number, deps: PublishDeps): Promise<SweptReleases> {
  const { store, now } = deps;
  const since = new Date(now().getTime() - days * day);
  const named = await namedReleases(store, since);
  const swept: SweptReleases = { marked: [], kept: [], gone: [] };
  for (const release of await removedOf(deps)) {
    if (release.removed?.phase === 'deleting') {
      if (ageOf(release, now) > ABANDONED_AFTER_MS && (await claimRemoval(release, deps)))
        await remove(release, deps, swept);
    } else if (named.has(release._id)) {
      await restoreRelease(release, deps, swept);
    } else if (ageOf(release, now) > GRACE_MS && (await claimRemoval(release, deps))) {
      await remove(release, deps, swept);
    }
  }
  for (const release of await outlivedOf(since, deps))
    if (!named.has(release._id)) await mark(release, deps, swept);
  return swept;
}

function ageOf({ removed }: Release, now: () => Date): number {
  return now().getTime() - (removed?.at.getTime() ?? 0);
}

function removedOf({ store }: PublishDeps): Promise<Release[]> {
  return store.releases.find({ publishedAt: null, 'removed.phase': { $in: ['marked', 'deleting'] } }).lean();
}

/** Releases published before `since`, and abandoned claims. */
async function outlivedOf(since: Date, { store, now }: PublishDeps): Promise<Release[]> {
  const leftBehind = new Date(now().getTime() - UNFINISHED_AFTER_MS);
  const [published, claimed] = await Promise.all([
    store.releases.find({ publishedAt: { $lt: since } }).lean(),
    store.releases.find({ publishedAt: null, removed: null, createdAt: { $lt: leftBehind } }).lean(),
  ]);
  return [...published, ...claimed];
}

async function mark(release: Release, { store, now }: PublishDeps, swept: SweptReleases): Promise<void> {
  const { _id, publishedAt, createdAt } = release;
  const removed = { at: now(), publishedAt, phase: 'marked' };
  const done = await store.releases.updateOne(
    { _id, publishedAt, createdAt, removed: null },
    { $set: { publishedAt: null, removed } },
  );
  if (done.matchedCount === 1) swept.marked.push(_id);
}

async function restoreRelease(release: Release, { store }: PublishDeps, swept: SweptReleases): Promise<void> {
  const done = await store.releases.updateOne(
    { _id: release._id, ...removalOf(release) },
    { $set: { publishedAt: release.removed?.publishedAt ?? null, removed: null } },
  );
  if (done.matchedCount === 1) swept.kept.push(release._id);
}

/** Whether this process is the one that removes it. */
async function claimRemoval(release: Release, { store, now }: PublishDeps): Promise<boolean> {
  const done = await store.releases.updateOne(
    { _id: release._id, ...removalOf(release) },
    { $set: { 'removed.phase': 'deleting', 'removed.at': now() } },
  );
  return done.matchedCount === 1;
}

async function remove(release: Release, { store, files }: PublishDeps, swept: SweptReleases): Promise<void> {
  const { _id } = release;
  if (!isElsewhere(release))
    for (const key of release.files.flatMap((file) => keysOf(release, file))) await files.remove(key);
  const ours = { _id, 'removed.phase': 'deleting' as const };
  const nothing = { files: [], exposes: [], shared: [], routes: [], template: '' };
  if (release.removed?.publishedAt)
    await store.releases.updateOne(ours, { $set: { ...nothing, 'removed.phase': 'gone' } });
  else await store.releases.deleteOne(ours);
  swept.gone.push(_id);
}

/**
 * Releases that are still needed: those of compositions that were created, or live or a canary in any
 * environment, since `since`, and of the live composition, the previous one, the canaries and the previews of
 * every environment; fallbacks included.
 */
export async function namedReleases(store: CompositionStore, since: Date): Promise<Set<string>> {
  const ids = await Promise.all((await storesOf(store)).map((one) => compositionsOf(one, since)));
  const named = new Set<string>();
  for (const some of [{ _id: { $in: ids.flat() } }, { createdAt: { $gte: since } }])
    for await (const composition of store.compositions.find(some, { host: 1, remotes: 1 }).lean().cursor())
      for (const { release, previous } of partsOf(composition)) {
        named.add(release);
        if (previous) named.add(previous);
      }
  return named;
}

/** Compositions that one environment still needs. */
async function compositionsOf(store: CompositionStore, since: Date): Promise<string[]> {
  const pointer = await readPointer(store);
  const ids = pointer ? [...shownCompositions(pointer), pointer.previous] : [];
  const previews = await store.previews.find({}, { composition: 1 }).lean();
  for (const { composition } of previews) ids.push(composition);
  // Newest first, so that reading stops at `since`; what was live at that time is the `from` of the first
  // move.
  for await (const move of store.moves.find().sort({ _id: -1 }).lean().cursor()) {
    if (move.at < since) {
      ids.push(move.composition, move.canary);
      break;
    }
    ids.push(move.composition, move.from, move.canary);
  }
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}
