import { unlessDuplicate } from '../../store/store-failure.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import type { Release } from '../data/release.ts';
import type { DescribedRelease } from '../data/release-description.ts';

/** A release that claims its name. */
export interface WantedRelease extends DescribedRelease {
  base: string;
  publishedBy: string;
}

export interface ClaimDeps {
  store: Pick<CompositionStore, 'releases'>;
  now: () => Date;
}

/**
 * Returns the release that holds the wanted name: the wanted one if the name was free, otherwise the existing
 * one. A removed release, or one marked for removal, is restored for the same content. The timestamp of an
 * unpublished release is renewed so that it does not count as abandoned.
 */
export async function claimName(wanted: WantedRelease, deps: ClaimDeps): Promise<Release> {
  const { store, now } = deps;
  const _id = `${wanted.name}@${wanted.version}`;
  const release: Release = { ...wanted, _id, createdAt: now(), publishedAt: null, removed: null };
  const existing = await store.releases.findById(_id).lean<Release>();
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

/**
 * The update that allows the same content to be published under its name again; undefined if none is needed.
 */
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
