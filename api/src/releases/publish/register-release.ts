import { isOnOrigin } from '../../config/variable.ts';
import type { Language } from '../../contract/language.ts';
import type { ReleaseClaim, ReleaseUpload } from '../../contract/releases.ts';
import { ApiError } from '../../errors/errors.ts';
import type { CheckFiles } from '../check/check-files.ts';
import { fileFindings } from '../check/file-findings.ts';
import { inLanguage } from '../check/rule.ts';
import type { Release } from '../data/release.ts';
import { describeRelease } from '../data/release-description.ts';
import { claimName, type PublishDeps } from './publish-release.ts';

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
  const id = `${wanted.name}@${wanted.version}`;
  const candidate: Release = {
    ...wanted,
    _id: id,
    createdAt: deps.now(),
    publishedAt: null,
    removed: null,
  };
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
