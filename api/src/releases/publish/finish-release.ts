import { ApiError } from '../../errors/errors.ts';
import { isDiskFull } from '../../store/store-failure.ts';
import type { Release } from '../data/release.ts';
import { isNamedByContent, releaseBase, sharedBase } from '../data/release-keys.ts';
import { createEncoder, readWhole } from './ensure-encoded.ts';
import type { PublishDeps } from './publish-release.ts';
import { findClaimed } from './receive-release-file.ts';

/**
 * Publishes a release whose files have all been uploaded: checks each file, creates the compressed forms and
 * only then makes it visible. A release that is already published is checked as well.
 * @param assertAllowed throws if the caller may no longer publish, which is checked again at the end.
 * @throws release_incomplete if files are missing or corrupted; disk_full if there is no room for the
 * compressed forms.
 */
export async function finishRelease(
  id: string,
  deps: PublishDeps,
  assertAllowed: () => Promise<void> = async () => undefined,
): Promise<Release> {
  const release = await findClaimed(id, deps);
  const ensureEncoded = createEncoder(deps);
  let missing = 0;
  let isShared = true;
  for (const file of release.files) {
    const bytes = await readWhole(release, file, deps.files);
    if (!bytes) {
      missing += 1;
      continue;
    }
    isShared &&= isNamedByContent(file.path, bytes);
    // Compression is unnecessary as long as the release cannot be published.
    if (missing === 0) await ensureEncoded(release, file, bytes).catch(toDiskFull);
  }
  if (missing > 0) throw new ApiError('release_incomplete', { count: missing });
  if (release.publishedAt) return release;
  await assertAllowed();
  const publishedAt = deps.now();
  // Only for the content that was checked: meanwhile the claim may have been taken over with other content.
  await deps.store.releases.updateOne(
    { _id: id, digest: release.digest, publishedAt: null, removed: null },
    { $set: { publishedAt, announce: true, base: isShared ? sharedBase(release) : releaseBase(release) } },
  );
  const done = await deps.store.releases.findById(id).lean<Release>();
  if (done?.digest !== release.digest || !done.publishedAt) throw new ApiError('unavailable');
  return done;
}

function toDiskFull(cause: unknown): never {
  throw isDiskFull(cause) ? new ApiError('disk_full') : cause;
}
