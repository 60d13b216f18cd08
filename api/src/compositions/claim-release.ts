import type { ReleaseClaim, ReleaseUpload } from '../contract/contract.ts';
import { unavailable, versionTaken } from '../contract/errors.ts';
import { claimName, removalOf } from './claim-name.ts';
import { keysOf, readWhole } from './ensure-encoded.ts';
import type { PublishDeps } from './publish-release.ts';
import type { Release } from './release.ts';
import { describeRelease } from './release-description.ts';
import { isElsewhere, releaseBase } from './release-keys.ts';

/** An upload from which nothing has come for so long is left behind: other content may take its version, in ms. */
const LEFT_BEHIND = 15 * 60_000;
/** Seconds after which a release that is just going away is gone. */
const GOING = 30;

/**
 * Claims a version for what is to be uploaded, and says which files have not come yet: also of a release that is published, where
 * files were lost or garbled since.
 *
 * @param publisher 'ops' or the remote whose token it is.
 * @throws versionTaken when the version stands with other content, or is being uploaded with other content.
 */
export async function claimRelease(
  upload: Omit<ReleaseUpload, 'address'>,
  publisher: string,
  deps: PublishDeps,
): Promise<ReleaseClaim> {
  const wanted = { ...describeRelease(upload), base: releaseBase(upload), publishedBy: publisher };
  const release = await claimName(wanted, deps);
  if (release.digest === wanted.digest && release.removed) throw unavailable(GOING);
  if (release.digest === wanted.digest && !isElsewhere(release)) return claimOf(release, deps);
  if (!isLeftBehind(release, deps)) throw versionTaken();
  await forget(release, deps);
  return claimRelease(upload, publisher, deps);
}

async function claimOf(release: Release, { files }: PublishDeps): Promise<ReleaseClaim> {
  const missing: string[] = [];
  for (const file of release.files) if (!(await readWhole(release, file, files))) missing.push(file.path);
  return { id: release._id, missing, publishedAt: release.publishedAt?.toISOString() ?? null };
}

function isLeftBehind({ publishedAt, removed, createdAt }: Release, { now }: PublishDeps): boolean {
  return !publishedAt && !removed && now().getTime() - createdAt.getTime() > LEFT_BEHIND;
}

/** Files first: killed in between, the claim still says which ones there may be. */
async function forget(release: Release, { store, files }: PublishDeps): Promise<void> {
  const { _id, createdAt } = release;
  for (const key of release.files.flatMap((file) => keysOf(release, file))) await files.remove(key);
  await store.releases.deleteOne({ _id, createdAt, publishedAt: null, ...removalOf(release) });
}
