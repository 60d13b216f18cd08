import type { FileStore } from '../../files/storage/file-store.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import type { Release } from '../data/release.ts';
import type { DescribedRelease } from '../data/release-description.ts';
import { isElsewhere, isNamedByContent, releaseBase, releaseKey, sharedBase } from '../data/release-keys.ts';
import { createEncoder, type EnsureEncoded, readWhole } from './encode.ts';
import type { Build } from './read-build.ts';

export interface PublishDeps {
  store: CompositionStore;
  files: FileStore;
  now: () => Date;
}

/**
 * Publishes a build under its version or, if that version exists with different content, under `<version>+<8
 * hex digits of its digest>`. Never overwrites. A release that was published before is returned unread.
 * If the process is killed, the next call completes it: the name is claimed first, then the files are
 * written, and only then is the release marked as published. Several processes may publish the same build
 * concurrently.
 * @param ensureEncoded shared by builds that are published together
 */
export async function publishRelease(
  build: Build,
  deps: PublishDeps,
  ensureEncoded: EnsureEncoded = createEncoder(deps),
): Promise<Release> {
  const release =
    (await claim(build, build.version, deps)) ?? (await claim(build, addressedVersion(build), deps));
  if (!release)
    throw new Error(`${build.name}@${addressedVersion(build)} already exists with different content`);
  if (release.publishedAt || isElsewhere(release)) return release;
  await repairRelease(release, build, deps, ensureEncoded);
  const publishedAt = deps.now();
  await deps.store.releases.updateOne(
    { _id: release._id, publishedAt: null },
    { $set: { publishedAt, publishedBy: 'start', removed: null, announce: true } },
  );
  return { ...release, publishedAt };
}

/** Writes those files of a release, and of their compressed forms, that are missing or corrupted. */
export async function repairRelease(
  release: Release,
  { contents }: Pick<Build, 'contents'>,
  { files }: Pick<PublishDeps, 'files'>,
  ensureEncoded: EnsureEncoded,
): Promise<void> {
  // Self-hosted releases cannot be repaired here.
  if (isElsewhere(release)) return;
  for (const file of release.files) {
    const bytes = contents.get(file.path)!;
    if (!(await readWhole(release, file, files))) await files.put(releaseKey(release, file.path), bytes);
    await ensureEncoded(release, file, bytes);
  }
}

function addressedVersion({ version, digest }: Build): string {
  return `${version}${version.includes('+') ? '.' : '+'}${digest.slice(0, 8)}`;
}

/** Created if the name is free; undefined if it is another build's, or its files are being deleted. */
async function claim(build: Build, version: string, deps: PublishDeps): Promise<Release | undefined> {
  const { contents, ...described } = build;
  const isShared = [...contents].every(([path, bytes]) => isNamedByContent(path, bytes));
  const base = isShared ? sharedBase(build) : releaseBase({ name: build.name, version });
  const existing = await claimName({ ...described, version, base, publishedBy: 'start' }, deps);
  return existing.digest === build.digest && !existing.removed ? existing : undefined;
}

/** A release that claims its name. */
type WantedRelease = DescribedRelease & Pick<Release, 'base' | 'publishedBy'>;

export function unpublished(wanted: WantedRelease, { now }: Pick<PublishDeps, 'now'>): Release {
  const _id = `${wanted.name}@${wanted.version}`;
  return { ...wanted, _id, createdAt: now(), publishedAt: null, removed: null };
}

/**
 * Returns the release that holds the wanted name: the wanted one if the name was free, otherwise the existing
 * one. A removed release, or one marked for removal, is restored for the same content. The timestamp of an
 * unpublished release is renewed so that it does not count as abandoned.
 */
export async function claimName(
  wanted: WantedRelease,
  deps: Pick<PublishDeps, 'store' | 'now'>,
): Promise<Release> {
  const { store } = deps;
  const release = unpublished(wanted, deps);
  const { _id } = release;
  const existing = await store.releases.findById(_id).lean();
  if (!existing)
    return (await unlessDuplicate(store.releases.create(release))) ? release : claimName(wanted, deps);
  if (existing.digest !== wanted.digest) return existing;
  const back = restoringUpdate(existing, release);
  if (!back) return existing;
  const done = await store.releases.updateOne(
    { _id, publishedAt: existing.publishedAt, createdAt: existing.createdAt, ...removalOf(existing) },
    { $set: back },
  );
  return done.matchedCount === 1 ? { ...existing, ...back } : claimName(wanted, deps);
}

/** Filter that matches only while the release is still in the removal state that was read. */
export function removalOf({ removed }: Release): Record<string, unknown> {
  return removed ? { 'removed.phase': removed.phase, 'removed.at': removed.at } : { removed: null };
}

/** To publish the same content under its name again; undefined if nothing is needed. */
function restoringUpdate(existing: Release, release: Release): Partial<Release> | undefined {
  const { removed, publishedAt } = existing;
  if (removed?.phase === 'deleting') return undefined;
  if (removed?.phase === 'gone') {
    const { _id, ...fields } = release;
    return fields;
  }
  // All of its files still exist.
  if (removed) return { removed: null, publishedAt: removed.publishedAt, createdAt: release.createdAt };
  return publishedAt ? undefined : { createdAt: release.createdAt };
}
