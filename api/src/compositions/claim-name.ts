import type { CompositionStore } from './composition-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import type { Release } from './release.ts';
import type { DescribedRelease } from './release-description.ts';

/** A release that wants its name. */
export interface WantedRelease extends DescribedRelease {
  base: string;
  publishedBy: string;
}

export interface ClaimDeps {
  store: Pick<CompositionStore, 'releases'>;
  now: () => Date;
}

/**
 * The release that has the wanted one's name: the wanted one itself where the name was free, else what stands there. A release that
 * is gone, or marked to go, comes back for the same content. What is not published yet counts as new again, so that nobody takes it
 * for left behind.
 */
export async function claimName(wanted: WantedRelease, deps: ClaimDeps): Promise<Release> {
  const { store, now } = deps;
  const _id = `${wanted.name}@${wanted.version}`;
  const release: Release = { ...wanted, _id, createdAt: now(), publishedAt: null, removed: null };
  const standing = await store.releases.findById(_id).lean<Release>();
  if (!standing) {
    try {
      await store.releases.create(release);
      return release;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return claimName(wanted, deps);
    }
  }
  if (standing.digest !== wanted.digest) return standing;
  const back = backAgain(standing, release);
  if (!back) return standing;
  const done = await store.releases.updateOne(
    { _id, publishedAt: standing.publishedAt, createdAt: standing.createdAt, ...removalOf(standing) },
    { $set: back },
  );
  return done.matchedCount === 1 ? { ...standing, ...back } : claimName(wanted, deps);
}

/** The condition that a release still is in the state that it was seen in. */
export function removalOf({ removed }: Release): Record<string, unknown> {
  return removed ? { 'removed.phase': removed.phase, 'removed.at': removed.at } : { removed: null };
}

/** What is to be written so that the same content may be published under its name; undefined when nothing is. */
function backAgain(standing: Release, release: Release): Partial<Release> | undefined {
  const { removed, publishedAt } = standing;
  if (removed?.phase === 'deleting') return undefined;
  if (removed?.phase === 'gone') {
    const { _id, ...fields } = release;
    return fields;
  }
  // Its files are all there still.
  if (removed) return { removed: null, publishedAt: removed.publishedAt, createdAt: release.createdAt };
  return publishedAt ? undefined : { createdAt: release.createdAt };
}
