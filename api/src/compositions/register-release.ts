import type { Language, ReleaseClaim, ReleaseUpload } from '../contract/contract.ts';
import { checkFailed, unavailable, versionTaken, wrongReleaseAddress } from '../contract/errors.ts';
import type { CheckFiles } from './check/check-files.ts';
import { integrity } from './check/integrity.ts';
import { reachable } from './check/reachable.ts';
import { type CheckContext, inLanguage } from './check/rule.ts';
import { claimName } from './claim-name.ts';
import type { PublishDeps } from './publish-release.ts';
import type { Release } from './release.ts';
import { describeRelease } from './release-description.ts';

export interface RegisterDeps extends PublishDeps {
  checkFiles: CheckFiles;
  /** RELEASE_ORIGINS. */
  releaseOrigins: readonly string[];
}

/** All files of a release together may take so long to be fetched, in ms. */
const longestCheck = 60_000;

/**
 * Publishes a release whose files stay where their team hosts them: every one is fetched as a browser would and held against what
 * was declared. Only what operations listed in RELEASE_ORIGINS is ever asked, so a private address is one they chose.
 *
 * @param publisher 'ops' or the remote whose token it is.
 * @throws wrongReleaseAddress; checkFailed with what keeps browsers from using it; versionTaken when the version stands with other
 * content, or elsewhere.
 */
export async function registerRelease(
  { address, ...upload }: ReleaseUpload & { address: string },
  publisher: string,
  language: Language,
  deps: RegisterDeps,
): Promise<ReleaseClaim> {
  if (!isAllowed(address, deps.releaseOrigins)) throw wrongReleaseAddress();
  const wanted = { ...describeRelease(upload), base: address, publishedBy: publisher };
  const id = `${wanted.name}@${wanted.version}`;
  const candidate: Release = {
    ...wanted,
    _id: id,
    createdAt: deps.now(),
    publishedAt: null,
    removed: null,
  };
  // Looked at before the name is claimed: a version is not spent on files that do not come.
  await assertServed(candidate, language, deps);
  const release = await claimName(wanted, deps);
  if (release.digest === wanted.digest && release.removed) throw unavailable();
  if (release.digest !== wanted.digest || release.base !== address) throw versionTaken();
  const publishedAt = release.publishedAt ?? deps.now();
  await deps.store.releases.updateOne(
    { _id: id, digest: wanted.digest, base: address, publishedAt: null, removed: null },
    { $set: { publishedAt } },
  );
  return { id, missing: [], publishedAt: publishedAt.toISOString() };
}

/** Absolute, written as browsers would write it, a folder, and at one of the origins that operations listed. */
function isAllowed(address: string, origins: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { href, origin, pathname, search, hash, username, password } = new URL(address);
  const isPlain = search === '' && hash === '' && username === '' && password === '';
  return isPlain && href === address && pathname.endsWith('/') && origins.includes(origin);
}

async function assertServed(
  release: Release,
  language: Language,
  { checkFiles }: RegisterDeps,
): Promise<void> {
  const looked = await checkFiles([release], AbortSignal.timeout(longestCheck));
  const context: CheckContext = {
    files: () => Promise.resolve(looked),
    releasesOf: () => Promise.resolve([]),
  };
  const parts = { host: release, remotes: [] };
  const ruled = [
    { rule: 'reachable', ...(await reachable(parts, context)) },
    { rule: 'integrity', ...(await integrity(parts, context)) },
  ] as const;
  const findings = ruled.flatMap(({ rule, findings: of }) =>
    of.map((one) => inLanguage(rule, one, language)),
  );
  if (findings.length > 0) throw checkFailed(findings);
}
