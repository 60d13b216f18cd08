import type { Connection, Model } from 'mongoose';
import { type Composition, compositionModel } from './composition.ts';
import { type Move, moveModel } from './move.ts';
import { type Pointer, pointerModel } from './pointer.ts';
import { type Release, releaseModel } from './release.ts';

/** The collections of releases, compositions and the pointer. */
export interface CompositionStore {
  releases: Model<Release>;
  compositions: Model<Composition>;
  pointers: Model<Pointer>;
  moves: Model<Move>;
}

export function createCompositionStore(connection: Connection): CompositionStore {
  return {
    releases: releaseModel(connection),
    compositions: compositionModel(connection),
    pointers: pointerModel(connection),
    moves: moveModel(connection),
  };
}

/** Creates the indexes that all reads of releases and compositions depend on. */
export async function createCompositionIndexes(store: CompositionStore): Promise<void> {
  await Promise.all([
    store.releases.createIndexes(),
    store.compositions.createIndexes(),
    store.pointers.createIndexes(),
    store.moves.createIndexes(),
  ]);
}
