import type { CompositionChoice, PromotedFrom } from '../../contract/compositions.ts';
import { ApiError, invalidRequest } from '../../errors/errors.ts';
import type { Composition } from '../data/composition.ts';
import { type CompositionStore, storesOf } from '../data/composition-store.ts';
import { readPointer } from '../data/move-pointer.ts';

/**
 * Throws unless the releases of `choice` are live in the environment of `from`. What another server says about
 * itself cannot be verified here; the caller has copied and compared the releases.
 * @throws invalidRequest, promotion_source_moved.
 */
export async function assertPromotion(
  from: PromotedFrom,
  choice: CompositionChoice,
  store: CompositionStore,
): Promise<void> {
  if (!('releases' in choice)) throw invalidRequest('composition');
  if (from.server !== undefined) return;
  const source = (await storesOf(store)).find(({ environment }) => environment === from.environment);
  if (!source || source.environment === store.environment) throw invalidRequest('promotedFrom');
  const pointer = await readPointer(source);
  if (pointer?.composition !== from.composition || pointer.revision !== from.revision)
    throw new ApiError('promotion_source_moved');
  const tested = await store.compositions.findById(pointer.composition).lean<Composition>();
  const known = new Set([tested?.host, ...(tested?.remotes ?? [])].map((part) => part?.release));
  if (!choice.releases.every((release) => known.has(release))) throw invalidRequest('releases');
}
