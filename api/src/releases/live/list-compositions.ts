import { EnvironmentInfo } from '../../contract/compositions.ts';
import { type PageRequest, readPage } from '../../store/cursor.ts';
import { describeAs } from '../../store/describe-as.ts';
import { type CompositionStore, readComposition, storesOf } from '../data/composition-store.ts';
import { PRODUCTION } from '../data/environment.ts';
import { readPointer } from '../data/move-pointer.ts';
import { describeComposition } from './describe-composition.ts';

/** Newest first. @throws invalidRequest('cursor') */
export async function listCompositions(
  { compositions }: Pick<CompositionStore, 'compositions'>,
  request: PageRequest,
) {
  const { page, nextCursor } = await readPage(compositions, 'createdAt', 'compositions', request);
  return { compositions: page.map(describeComposition), nextCursor };
}

/** The own environment and all others of the database in which something has been live: production first, then by name. */
export async function listEnvironments(own: CompositionStore): Promise<EnvironmentInfo[]> {
  const others = (await storesOf(own)).filter(({ environment }) => environment !== own.environment);
  const described = await Promise.all([own, ...others].map((store) => describe(store, store === own)));
  const rank = ({ name }: EnvironmentInfo) => (name === PRODUCTION ? '' : name);
  return described.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

async function describe(store: CompositionStore, isOwn: boolean): Promise<EnvironmentInfo> {
  const pointer = await readPointer(store);
  const live = pointer && (await readComposition(store, pointer.composition));
  return describeAs(EnvironmentInfo, {
    name: store.environment,
    isOwn,
    revision: pointer?.revision ?? 0,
    composition: live && describeComposition(live),
    movedAt: pointer?.movedAt ?? null,
  });
}
