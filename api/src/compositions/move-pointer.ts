import type { MoveKind } from '../contract/contract.ts';
import type { CompositionStore } from './composition-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import type { Pointer, PointerCanary } from './pointer.ts';

type MoveStore = Pick<CompositionStore, 'pointers' | 'moves'>;

/** What a move changes; what is left out stays. */
export interface PointerChange {
  composition?: string;
  canary?: PointerCanary | null;
}

/** Who moves it, and why. */
export interface MoveNote {
  kind: MoveKind;
  author: string;
  reason: string;
}

/** null when nothing has ever been live. */
export async function readPointer({ pointers }: Pick<CompositionStore, 'pointers'>): Promise<Pointer | null> {
  const pointer = await pointers.findById('live').lean<Pointer>();
  return pointer && withDefaults(pointer);
}

/**
 * Moves the pointer if it still stands where `from` saw it, in one step. False when somebody else moved it: read again and decide
 * anew. The history is written along: a move names its predecessor's, so that none is missing after a crash.
 */
export async function movePointer(
  store: MoveStore,
  from: Pointer | null,
  change: PointerChange,
  note: MoveNote,
  at: Date,
): Promise<boolean> {
  const next = pointerAfter(from, change, note, at);
  if (from) await recordMove(store, from);
  if (!(await replace(store, from, next))) return false;
  await recordMove(store, next);
  return true;
}

/** Completes the history with the move that `pointer` tells of, if a crash kept it out. */
export async function recordMove(
  { moves }: Pick<CompositionStore, 'moves'>,
  pointer: Pointer,
): Promise<void> {
  const { revision, movedAt, composition, last } = pointer;
  try {
    await moves.updateOne(
      { _id: revision },
      { $setOnInsert: { at: movedAt, composition, ...last } },
      { upsert: true },
    );
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Where the pointer stands once `movePointer` has moved it. */
export function pointerAfter(
  from: Pointer | null,
  change: PointerChange,
  note: MoveNote,
  movedAt: Date,
): Pointer {
  const composition = change.composition ?? from?.composition;
  if (!composition) throw new Error('the first move of the pointer must name a composition');
  const canary = change.canary === undefined ? (from?.canary ?? null) : change.canary;
  const about = canary ?? from?.canary ?? null;
  return {
    _id: 'live',
    composition,
    previous: from && from.composition !== composition ? from.composition : (from?.previous ?? null),
    revision: (from?.revision ?? 0) + 1,
    movedAt,
    canary,
    last: {
      ...note,
      from: from?.composition ?? null,
      canary: about?.composition ?? null,
      share: about?.share ?? null,
    },
  };
}

async function replace({ pointers }: MoveStore, from: Pointer | null, next: Pointer): Promise<boolean> {
  if (!from) return create({ pointers }, next);
  const { _id, ...fields } = next;
  const done = await pointers.updateOne({ _id, revision: from.revision }, { $set: fields });
  return done.matchedCount === 1;
}

async function create({ pointers }: Pick<CompositionStore, 'pointers'>, pointer: Pointer): Promise<boolean> {
  try {
    await pointers.create(pointer);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** A pointer of a desk that knew no canaries yet. */
function withDefaults(pointer: Pointer): Pointer {
  return {
    ...pointer,
    canary: pointer.canary ?? null,
    last: pointer.last ?? {
      kind: 'start',
      author: 'start',
      reason: '',
      from: pointer.previous,
      canary: null,
      share: null,
    },
  };
}
