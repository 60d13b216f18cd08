import { createHash } from 'node:crypto';
import { isOnOrigin } from '../../config/variable.ts';
import type { Language } from '../../contract/language.ts';
import type { ReleaseClaim, ReleaseUpload } from '../../contract/releases.ts';
import { ApiError, notFound } from '../../errors/errors.ts';
import { isDiskFull } from '../../store/store-failure.ts';
import type { CheckFiles } from '../check/check-files.ts';
import { inLanguage } from '../check/rule.ts';
import { fileFindings } from '../check/rules.ts';
import type { Release, ReleaseFile } from '../data/release.ts';
import { describeRelease } from '../data/release-description.ts';
import { isElsewhere, isNamedByContent, releaseBase, releaseKey, sharedBase } from '../data/release-keys.ts';
import { createEncoder, keysOf, readWhole } from './encode.ts';
import { claimName, type PublishDeps, removalOf, unpublished } from './publish-release.ts';
import { createInlineMapFinder } from './source-maps.ts';

/** Time without new data, in ms, after which an upload is abandoned and its version can be claimed. */
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

/** Interval at which the claim is renewed while a file is being received, in ms. */
const RENEW_INTERVAL_MS = 60_000;

/**
 * Stores the bytes of one file that a claimed release lists, if they match the declaration. If the file is
 * already stored and intact, nothing is read. So this may be repeated and called concurrently.
 * @param publisher The name of the token that was used. @throws notFound('release') if it is not claimed
 * or belongs to another remote; notFound('file') for an unlisted path; release_file;
 * release_inline_map.
 */
export async function receiveReleaseFile(
  id: string,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  deps: PublishDeps,
): Promise<void> {
  const release = await findClaimed(id, deps);
  const file = release.files.find((listed) => listed.path === path);
  if (!file) throw notFound('file');
  if (await readWhole(release, file, deps.files)) return;
  await renew(release, deps);
  const standsStill = async () => {
    const now = await deps.store.releases.findById(id, { digest: 1, removed: 1 }).lean();
    return now?.digest === release.digest && !now.removed;
  };
  try {
    await deps.files.put(releaseKey(release, path), asDeclared(bytes, file, standsStill));
  } catch (cause) {
    toDiskFull(cause);
  }
}

/** A release that accepts files: claimed, or published and to be repaired. @throws notFound('release') */
async function findClaimed(id: string, { store }: Pick<PublishDeps, 'store'>): Promise<Release> {
  const release = await store.releases.findById(id).lean();
  if (!release || release.removed || isElsewhere(release)) throw notFound('release');
  return release;
}

/**
 * Passes the bytes through while they can still match the declaration. An error is thrown before their end,
 * so that the file store discards them; at their end the claim is checked again, since it may have been taken
 * over.
 */
async function* asDeclared(
  bytes: AsyncIterable<Uint8Array>,
  file: ReleaseFile,
  standsStill: () => Promise<boolean>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha384');
  const hasInlineMap = createInlineMapFinder(file.path);
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > file.size) throw new ApiError('release_file', { name: file.path });
    if (hasInlineMap(chunk)) throw new ApiError('release_inline_map', { name: file.path });
    hash.update(chunk);
    yield chunk;
  }
  if (`sha384-${hash.digest('base64')}` !== file.integrity)
    throw new ApiError('release_file', { name: file.path });
  if (!(await standsStill())) throw notFound('release');
}

async function renew({ _id, publishedAt, createdAt }: Release, { store, now }: PublishDeps): Promise<void> {
  if (publishedAt || now().getTime() - createdAt.getTime() < RENEW_INTERVAL_MS) return;
  await store.releases.updateOne({ _id, publishedAt: null, removed: null }, { $set: { createdAt: now() } });
}

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
  const done = await deps.store.releases.findById(id).lean();
  if (done?.digest !== release.digest || !done.publishedAt) throw new ApiError('unavailable');
  return done;
}

function toDiskFull(cause: unknown): never {
  throw isDiskFull(cause) ? new ApiError('disk_full') : cause;
}

export interface RegisterDeps extends PublishDeps {
  checkFiles: CheckFiles;
  /** Value of RELEASE_ORIGINS. */
  releaseOrigins: readonly string[];
}

/** Time limit for fetching all files of a release, in ms. */
const checkTimeoutMs = 60_000;

/**
 * Publishes a release whose files are hosted by its team: every file is fetched like a browser would and
 * compared with the declaration. Only origins listed in RELEASE_ORIGINS are ever requested, so operators
 * decide whether private addresses are reachable.
 * @param publisher The name of the token that was used. @param assertAllowed throws if the
 * caller may no longer publish, which is checked again after fetching. @throws release_address; check_failed with
 * what prevents browsers from using it; version_taken if the version exists with different content or at
 * another address.
 */
export async function registerRelease(
  { address, ...upload }: ReleaseUpload & { address: string },
  publisher: string,
  language: Language,
  deps: RegisterDeps,
  assertAllowed: () => Promise<void>,
): Promise<ReleaseClaim> {
  if (!isAllowed(address, deps.releaseOrigins)) throw new ApiError('release_address');
  const wanted = { ...describeRelease(upload), base: address, publishedBy: publisher };
  const candidate = unpublished(wanted, deps);
  const id = candidate._id;
  // Checked before the name is claimed, so that files that cannot be fetched do not use up a version.
  await assertServed(candidate, language, deps);
  await assertAllowed();
  const release = await claimName(wanted, deps);
  if (release.digest === wanted.digest && release.removed) throw new ApiError('unavailable');
  if (release.digest !== wanted.digest || release.base !== address) throw new ApiError('version_taken');
  const publishedAt = release.publishedAt ?? deps.now();
  await deps.store.releases.updateOne(
    { _id: id, digest: wanted.digest, base: address, publishedAt: null, removed: null },
    { $set: { publishedAt, announce: true } },
  );
  return { id, missing: [], publishedAt: publishedAt.toISOString() };
}

/** Must be absolute, normalised, end with a slash, and have one of the origins that operators listed. */
function isAllowed(address: string, origins: readonly string[]): boolean {
  if (!isOnOrigin(address, origins)) return false;
  const { href, pathname, search } = new URL(address);
  return search === '' && href === address && pathname.endsWith('/');
}

async function assertServed(release: Release, language: Language, { checkFiles }: RegisterDeps) {
  const looked = await checkFiles([release], AbortSignal.timeout(checkTimeoutMs));
  const findings = (['reachable', 'integrity'] as const).flatMap((rule) =>
    fileFindings(rule, looked).map((one) => inLanguage(rule, one, language)),
  );
  if (findings.length > 0) throw new ApiError('check_failed', { findings });
}
