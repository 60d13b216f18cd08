import type { Connection, Model } from 'mongoose';
import { type Composition, compositionModel } from './composition.ts';
import { type Move, moveModel } from './move.ts';
import { type Pointer, pointerModel } from './pointer.ts';
import { type Release, releaseModel } from './release.ts';

/** The collections that releases and compositions are made of. */
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

/** Makes the indexes that every read of releases and compositions rests on. */
export async function createCompositionIndexes(store: CompositionStore): Promise<void> {
  await Promise.all([
    store.releases.createIndexes(),
    store.compositions.createIndexes(),
    store.pointers.createIndexes(),
    store.moves.createIndexes(),
  ]);
}
