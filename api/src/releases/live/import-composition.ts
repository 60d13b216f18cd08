import type { ImportComposition, ImportedComposition } from '../../contract/compositions.ts';
import { ApiError, invalidRequest } from '../../errors/errors.ts';
import { canonicalHash } from '../data/canonical-hash.ts';
import type { Composition, CompositionStore } from '../data/composition-store.ts';
import type { Release } from '../data/release.ts';
import { storeComposition } from './compose.ts';
import { describeComposition } from './describe-composition.ts';

/** @throws invalidRequest('id') if that is not the hash of its content; releasesMissing; releasesDiffer */
export async function importComposition(
  exported: ImportComposition,
  { store, now }: { store: CompositionStore; now: Date },
): Promise<ImportedComposition> {
  const { id, host, remotes, parent, author, reason } = exported;
  if (canonicalHash({ host, remotes, parent }) !== id) throw invalidRequest('id', 'composition_edited');
  const parts = [host, ...remotes];
  const fallbacks = parts.flatMap(({ previous }) => (previous === null ? [] : [previous]));
  const wanted = [...parts.map(({ release }) => release), ...fallbacks];
  const found = await store.releases
    .find({ _id: { $in: wanted }, publishedAt: { $ne: null } }, { digest: 1 })
    .lean<Pick<Release, '_id' | 'digest'>[]>();
  const digests = new Map(found.map(({ _id, digest }) => [_id, digest]));
  const missing = parts.filter(({ release }) => !digests.has(release)).map(({ release }) => release);
  if (missing.length > 0) throw new ApiError('releases_missing', { name: missing.join(', ') });
  const other = parts.filter(({ release, digest }) => digests.get(release) !== digest);
  if (other.length > 0)
    throw new ApiError('releases_differ', { name: other.map(({ release }) => release).join(', ') });
  const existing = await store.compositions.findById(id).lean<Composition>();
  const composition = existing ?? { _id: id, host, remotes, parent, author, reason, createdAt: now };
  if (!existing) await storeComposition(composition, store);
  return {
    composition: describeComposition(composition),
    isNew: !existing,
    missingFallbacks: [...new Set(fallbacks)].filter((release) => !digests.has(release)),
  };
}
