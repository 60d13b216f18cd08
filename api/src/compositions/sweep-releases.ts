import { removalOf } from './claim-name.ts';
import { keysOf } from './ensure-encoded.ts';
import { namedReleases } from './named-releases.ts';
import type { PublishDeps } from './publish-release.ts';
import type { Release } from './release.ts';
import { isElsewhere } from './release-keys.ts';

const day = 86_400_000;
/** Between being marked and going: longer than anybody takes from looking a release up to naming it in a composition, in ms. */
const GRACE = 10 * 60_000;
/** Another process may go on with what one took in hand so long ago, in ms. */
const ABANDONED = 60 * 60_000;
/** Claims of whose files nothing has come for so long go, in ms. */
const UNFINISHED = day;

/** What a sweep did, by name of the release. */
export interface SweptReleases {
  marked: string[];
  kept: string[];
  gone: string[];
}

/**
 * Lets releases go that no composition of the last `days` days names and that were published before that, and claims that were left
 * behind. May be killed anywhere and run in several processes at once:
 *
 * 1. A release is marked: it is published no more, so nobody can name it from now on.
 * 2. After a while, so in another sweep, one that has been named all the same is taken back.
 * 3. Any other is taken in hand by one process, its files go, and then its description: name and digest stay for good, so that no
 *    other content takes its place in the compositions that named it. A claim goes whole.
 */
export async function sweepReleases(days: number, deps: PublishDeps): Promise<SweptReleases> {
  const { store, now } = deps;
  const since = new Date(now().getTime() - days * day);
  const named = await namedReleases(store, since);
  const swept: SweptReleases = { marked: [], kept: [], gone: [] };
  for (const release of await removedOf(deps)) {
    if (release.removed?.phase === 'deleting') {
      if (ageOf(release, now) > ABANDONED && (await takeInHand(release, deps)))
        await remove(release, deps, swept);
    } else if (named.has(release._id)) {
      await takeBack(release, deps, swept);
    } else if (ageOf(release, now) > GRACE && (await takeInHand(release, deps))) {
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
  return store.releases
    .find({ publishedAt: null, 'removed.phase': { $in: ['marked', 'deleting'] } })
    .lean<Release[]>();
}

/** Published before `since`, or claimed and left behind. */
async function outlivedOf(since: Date, { store, now }: PublishDeps): Promise<Release[]> {
  const leftBehind = new Date(now().getTime() - UNFINISHED);
  const [published, claimed] = await Promise.all([
    store.releases.find({ publishedAt: { $lt: since } }).lean<Release[]>(),
    store.releases
      .find({ publishedAt: null, removed: null, createdAt: { $lt: leftBehind } })
      .lean<Release[]>(),
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

async function takeBack(release: Release, { store }: PublishDeps, swept: SweptReleases): Promise<void> {
  const done = await store.releases.updateOne(
    { _id: release._id, ...removalOf(release) },
    { $set: { publishedAt: release.removed?.publishedAt ?? null, removed: null } },
  );
  if (done.matchedCount === 1) swept.kept.push(release._id);
}

/** Whether this process is the one that lets it go. */
async function takeInHand(release: Release, { store, now }: PublishDeps): Promise<boolean> {
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
