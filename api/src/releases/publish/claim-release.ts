import type { ReleaseClaim, ReleaseUpload } from '../../contract/releases.ts';
import { ApiError } from '../../errors/errors.ts';
import type { Release } from '../data/release.ts';
import { describeRelease } from '../data/release-description.ts';
import { isElsewhere, releaseBase } from '../data/release-keys.ts';
import { keysOf, readWhole } from './ensure-encoded.ts';
import { claimName, type PublishDeps, removalOf } from './publish-release.ts';

/** Without new data for so long, in ms, an upload is abandoned and its version can be claimed. */
const ABANDONED_AFTER_MS = 15 * 60_000;
/** Retry-After in seconds for a release that is being deleted. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Claims a version for an upload and returns the files still missing. For a published release these are files
 * that have since been lost or corrupted.
 * @param publisher The name of the token that was used. @throws version_taken if the version exists with
 * other content, or is being uploaded with other content.
 */
export async function claimRelease(
  upload: Omit<ReleaseUpload, 'address'>,
  publisher: string,
  deps: PublishDeps,
): Promise<ReleaseClaim> {
  const wanted = { ...describeRelease(upload), base: releaseBase(upload), publishedBy: publisher };
  const release = await claimName(wanted, deps);
  if (release.digest === wanted.digest && release.removed)
    throw new ApiError('unavailable', { retryAfter: RETRY_AFTER_SECONDS });
  if (release.digest === wanted.digest && !isElsewhere(release)) return claimOf(release, deps);
  if (!isLeftBehind(release, deps)) throw new ApiError('version_taken');
  await forget(release, deps);
  return claimRelease(upload, publisher, deps);
}

async function claimOf(release: Release, { files }: PublishDeps): Promise<ReleaseClaim> {
  const missing: string[] = [];
  for (const file of release.files) if (!(await readWhole(release, file, files))) missing.push(file.path);
  return { id: release._id, missing, publishedAt: release.publishedAt?.toISOString() ?? null };
}

function isLeftBehind({ publishedAt, removed, createdAt }: Release, { now }: PublishDeps): boolean {
  return !publishedAt && !removed && now().getTime() - createdAt.getTime() > ABANDONED_AFTER_MS;
}

/** Delete files first: after a crash the claim still lists those that may remain. */
async function forget(release: Release, { store, files }: PublishDeps): Promise<void> {
  const { _id, createdAt } = release;
  for (const key of release.files.flatMap((file) => keysOf(release, file))) await files.remove(key);
  await store.releases.deleteOne({ _id, createdAt, publishedAt: null, ...removalOf(release) });
}
