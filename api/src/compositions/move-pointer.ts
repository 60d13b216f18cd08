import type { Pointer } from '../models/pointer.ts';
import type { CompositionStore } from './composition-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';

/** null when nothing has ever been live. */
export function readPointer({ pointers }: CompositionStore): Promise<Pointer | null> {
  return pointers.findById('live').lean<Pointer>();
}

/**
 * Makes `composition` live if the pointer still stands where `from` saw it. False when somebody else moved it: read again and
 * decide anew.
 */
export async function movePointer(
  { pointers }: CompositionStore,
  from: Pointer | null,
  composition: string,
  movedAt: Date,
): Promise<boolean> {
  if (!from) return createPointer({ pointers }, composition, movedAt);
  const moved = await pointers.updateOne(
    { _id: 'live', revision: from.revision },
    { $set: { composition, previous: from.composition, movedAt, revision: from.revision + 1 } },
  );
  return moved.matchedCount === 1;
}

async function createPointer(
  { pointers }: Pick<CompositionStore, 'pointers'>,
  composition: string,
  movedAt: Date,
): Promise<boolean> {
  try {
    await pointers.create({ _id: 'live', composition, previous: null, revision: 1, movedAt });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
