import type { Connection } from 'mongoose';
import { compositionModel } from './composition.ts';
import { environmentOf, PRODUCTION } from './environment.ts';
import { moveModel } from './move.ts';
import { pointerModel } from './pointer.ts';
import { previewModel } from './preview.ts';
import { type Release, releaseModel } from './release.ts';

export type CompositionStore = ReturnType<typeof createCompositionStore>;

/**
 * The collections of one environment: its pointer, the history of it and its previews, and the releases and compositions that
 * all environments of the database share.
 */
export function createCompositionStore(connection: Connection, environment: string = PRODUCTION) {
  return {
    environment,
    releases: releaseModel(connection),
    compositions: compositionModel(connection),
    pointers: pointerModel(connection),
    moves: moveModel(connection, environment),
    previews: previewModel(connection, environment),
  };
}

/** Creates the indexes that all reads of releases and compositions depend on. */
export async function createCompositionIndexes(store: CompositionStore): Promise<void> {
  await Promise.all([
    store.releases.createIndexes(),
    store.compositions.createIndexes(),
    store.pointers.createIndexes(),
    store.moves.createIndexes(),
    store.previews.createIndexes(),
  ]);
}

/** The stores of every environment of the database in which something has been live. */
export async function storesOf({
  pointers,
}: Pick<CompositionStore, 'pointers'>): Promise<CompositionStore[]> {
  const found = await pointers.find({}, { _id: 1 }).sort({ _id: 1 }).lean<{ _id: string }[]>();
  return found.flatMap(({ _id }) => {
    const environment = environmentOf(_id);
    return environment === undefined ? [] : [createCompositionStore(pointers.db, environment)];
  });
}

/** Ids of all yanked releases. */
export async function yankedReleases({ releases }: Pick<CompositionStore, 'releases'>): Promise<string[]> {
  const found = await releases
    .find({ 'yanked.at': { $exists: true } }, { _id: 1 })
    .lean<Pick<Release, '_id'>[]>();
  return found.map(({ _id }) => _id);
}
