import { AsyncLocalStorage } from 'node:async_hooks';
import type { MoveKind, PromotedFrom } from '../../contract/compositions.ts';
import { ApiError } from '../../errors/errors.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import type { CompositionStore } from './composition-store.ts';
import { pointerId } from './environment.ts';
import type { Pointer, PointerCanary, PointerState } from './pointer.ts';

/** Fields that a move changes; omitted ones stay unchanged, but a watch ends when another composition goes live. */
export type PointerChange = Partial<Omit<PointerState, 'previous' | 'revision' | 'movedAt' | 'last'>>;

/** Author and reason of a move. */
export interface MoveNote extends Partial<ChangedBy> {
  kind: MoveKind;
  author: string;
  reason: string;
  promotedFrom?: PromotedFrom;
  /** The canary concerned. Default: the first one that the move ends. */
  canary?: PointerCanary;
}

/** null if nothing has ever been live in this environment. */
export async function readPointer({ environment, pointers }: CompositionStore): Promise<Pointer | null> {
  const pointer = await pointers.findById(pointerId(environment)).lean();
  return pointer && withDefaults(pointer);
}

/** The same. @throws pointer_moved if it is at another revision than the request expects. */
export async function readPointerAt(
  store: CompositionStore,
  { revision }: { revision?: number | undefined },
): Promise<Pointer | null> {
  const pointer = await readPointer(store);
  if (revision !== undefined && revision !== (pointer?.revision ?? 0)) throw new ApiError('pointer_moved');
  return pointer;
}

/**
 * Moves the pointer atomically if it has not changed since `from` was read. Returns false if it has: read
 * again and decide again. Each move also records its predecessor in the history, so that no entry is missing
 * after a crash.
 */
export async function movePointer(
  store: CompositionStore,
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

/** Adds the pointer's last move to the history if a crash prevented that. */
export async function recordMove({ moves }: CompositionStore, pointer: PointerState): Promise<void> {
  const { revision, movedAt, composition, last } = pointer;
  const $setOnInsert = { at: movedAt, composition, ...last };
  await unlessDuplicate(moves.updateOne({ _id: revision }, { $setOnInsert }, { upsert: true }));
}

/** The pointer after `movePointer`. */
export function pointerAfter(from: Pointer | null, change: PointerChange, note: MoveNote, movedAt: Date) {
  const composition = change.composition ?? from?.composition;
  if (!composition) throw new Error('the first move of the pointer must name a composition');
  const { canary, ...told } = note;
  const { canaries = from?.canaries ?? [], mixes = from?.mixes ?? [], pins = from?.pins ?? [] } = change;
  const ended = from?.canaries.find((one) => !canaries.some(({ id }) => id === one.id));
  const concerned = canary ?? ended;
  return {
    composition,
    previous: from && from.composition !== composition ? from.composition : (from?.previous ?? null),
    revision: (from?.revision ?? 0) + 1,
    movedAt,
    canaries,
    mixes,
    freeze: change.freeze === undefined ? (from?.freeze ?? null) : change.freeze,
    pins,
    watch: change.watch ?? (from?.composition === composition ? from.watch : null),
    last: {
      ...told,
      from: from?.composition ?? null,
      canary: concerned?.composition ?? null,
      share: concerned?.share ?? null,
    },
  };
}

async function replace(
  { environment, pointers }: CompositionStore,
  from: Pointer | null,
  next: PointerState,
): Promise<boolean> {
  const _id = pointerId(environment);
  if (!from) return unlessDuplicate(pointers.create({ _id, ...next }));
  const done = await pointers.updateOne(
    { _id, revision: from.revision },
    { $set: { ...next, canary: null } },
  );
  return done.matchedCount === 1;
}

/** Adds defaults to a pointer stored by an earlier version, which had at most one canary. */
function withDefaults({ canary, ...pointer }: Pointer & { canary?: PointerCanary | null }): Pointer {
  const canaries = canary ? [{ ...canary, id: canary.composition }] : (pointer.canaries ?? []);
  return {
    ...pointer,
    canaries: canaries.map((one) => ({ ...one, plan: one.plan ?? null, paused: one.paused ?? null })),
    mixes: pointer.mixes ?? [],
    freeze: pointer.freeze ?? null,
    pins: pointer.pins ?? [],
    watch: pointer.watch ?? null,
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

/** The tokens on whose behalf a change is made, as recorded in the history. */
interface ChangedBy {
  /** Name of the token that requested it. */
  token: string;
  /** Name of the second token, if the change had to be approved. */
  approvedBy?: string;
  change?: string;
}

const storage = new AsyncLocalStorage<ChangedBy>();

/** All moves of `work` are made by these tokens. Not an argument, which a route could forget. */
export function recordAs<T>(by: ChangedBy, work: () => Promise<T>): Promise<T> {
  return storage.run(by, work);
}

/** The tokens of the current change; empty for automatic moves. */
export function changedBy(): Partial<ChangedBy> {
  return storage.getStore() ?? {};
}
