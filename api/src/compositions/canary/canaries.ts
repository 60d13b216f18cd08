import type { ChangeNote, PointerInfo, StartCanary } from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import { canaryConflict, notFound, pointerMoved } from '../../errors/errors.ts';
import type { Composing } from '../composing.ts';
import type { Composition } from '../composition.ts';
import type { CompositionStore } from '../composition-store.ts';
import { readPointer } from '../move-pointer.ts';
import type { Pointer, PointerCanary } from '../pointer.ts';

/**
 * Shows the next composition to a share of visitors first. There is at most one canary, and each step is one
 * move of the pointer.
 */
export interface Canaries {
  /**
   * @throws conflict if there is a canary already (running or halted) or the choice is already live; also
   * everything that `Composing.prepare` throws.
   */
  begin(request: StartCanary, language: Language): Promise<PointerInfo>;
  /** Changes the share. A halted canary restarts, with empty statistics. @throws notFound. */
  share(request: ChangeNote & { share: number }): Promise<PointerInfo>;
  /** Makes the canary live for everyone. @throws notFound, conflict if it has been halted, checkFailed. */
  promote(note: ChangeNote, language: Language): Promise<PointerInfo>;
  /** Ends the canary; nobody gets it any more. @throws notFound. */
  abort(note: ChangeNote): Promise<PointerInfo>;
}

export function createCanaries(deps: {
  store: Pick<CompositionStore, 'environment' | 'pointers' | 'compositions'>;
  composing: Pick<Composing, 'prepare' | 'assertFit' | 'move' | 'audited'>;
  now(): Date;
}): Canaries {
  const { store, composing, now } = deps;
  const { prepare, assertFit, move, audited } = composing;

  /** The current canary. Throws if the pointer is no longer at the revision in `note`. */
  async function currentCanary({ revision }: ChangeNote): Promise<Pointer & { canary: PointerCanary }> {
    const pointer = await readPointer(store);
    if (revision !== undefined && revision !== (pointer?.revision ?? 0)) throw pointerMoved();
    if (!pointer?.canary) throw notFound('canary');
    return { ...pointer, canary: pointer.canary };
  }

  return {
    begin: (request, language) =>
      audited('canary', request, async () => {
        const { author, reason, share } = request;
        const before = await readPointer(store);
        if (before?.canary) throw canaryConflict('canary_stands');
        const { pointer, composition, checkResult } = await prepare(request, request, language);
        if (!pointer) throw notFound('composition');
        if (pointer.canary) throw canaryConflict('canary_stands');
        if (pointer.composition === composition._id) throw canaryConflict('canary_is_live');
        const canary = {
          composition: composition._id,
          share,
          author,
          reason,
          startedAt: now(),
          halted: null,
        };
        const note = { kind: 'canary', author, reason } as const;
        return { ...(await move({ from: pointer, change: { canary }, note })), ...checkResult };
      }),

    share: (request) =>
      audited('share', request, async () => {
        const { author, reason, share } = request;
        const pointer = await currentCanary(request);
        const anew = pointer.canary.halted ? { halted: null, startedAt: now() } : {};
        const canary = { ...pointer.canary, ...anew, share };
        return move({ from: pointer, change: { canary }, note: { kind: 'share', author, reason } });
      }),

    promote: (request, language) =>
      audited('promote', request, async () => {
        const { author, reason } = request;
        const pointer = await currentCanary(request);
        if (pointer.canary.halted) throw canaryConflict('canary_halted');
        const composition = await store.compositions.findById(pointer.canary.composition).lean<Composition>();
        if (!composition) throw notFound('composition');
        await assertFit(composition, language);
        const change = { composition: composition._id, canary: null };
        return move({ from: pointer, change, note: { kind: 'promote', author, reason } });
      }),

    abort: (request) =>
      audited('abort', request, async () => {
        const { author, reason } = request;
        const pointer = await currentCanary(request);
        return move({ from: pointer, change: { canary: null }, note: { kind: 'abort', author, reason } });
      }),
  };
}
