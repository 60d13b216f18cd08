import type { ImportComposition, ImportedComposition } from '../../contract/compositions.ts';
import { ApiError, invalidRequest } from '../../errors/errors.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { canonicalHash } from '../data/canonical-hash.ts';
import { partsOf, releasesOf } from '../data/changes-between.ts';
import { type CompositionStore, readComposition } from '../data/composition-store.ts';
import type { Release } from '../data/release.ts';
import { storeComposition } from './compose.ts';
import { describeComposition } from './describe-composition.ts';

/** @throws invalidRequest('id') if that is not the hash of its content; releasesMissing; releasesDiffer */
export async function importComposition(
  exported: ImportComposition,
  store: CompositionStore,
): Promise<ImportedComposition> {
  const { id, host, remotes, parent, author, reason } = exported;
  if (canonicalHash({ host, remotes, parent }) !== id) throw invalidRequest('id', 'composition_edited');
  const parts = partsOf(exported);
  const fallbacks = parts.flatMap(({ previous }) => (previous === null ? [] : [previous]));
  const wanted = [...releasesOf(exported), ...fallbacks];
  const found = await store.releases
    .find({ _id: { $in: wanted }, publishedAt: { $ne: null } }, { digest: 1 })
    .lean<Pick<Release, '_id' | 'digest'>[]>();
  const digests = new Map(found.map(({ _id, digest }) => [_id, digest]));
  const missing = releasesOf(exported).filter((release) => !digests.has(release));
  if (missing.length > 0) throw new ApiError('releases_missing', { name: missing.join(', ') });
  const other = parts.filter(({ release, digest }) => digests.get(release) !== digest);
  if (other.length > 0)
    throw new ApiError('releases_differ', { name: other.map(({ release }) => release).join(', ') });
  const existing = await readComposition(store, id);
  const composition = existing ?? {
    _id: id,
    host,
    remotes,
    parent,
    author,
    reason,
    createdAt: databaseDate(),
  };
  if (!existing) await storeComposition(composition, store);
  return {
    composition: describeComposition(composition),
    isNew: !existing,
    missingFallbacks: [...new Set(fallbacks)].filter((release) => !digests.has(release)),
  };
}
