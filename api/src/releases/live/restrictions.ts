import type { FreezeRequest, MoveKind, PinRequest, PointerInfo } from '../../contract/compositions.ts';
import { invalidRequest, notFound } from '../../errors/errors.ts';
import { partsOf } from '../data/changes-between.ts';
import { type CompositionStore, readComposition } from '../data/composition-store.ts';
import { type PointerChange, readPointerAt } from '../data/move-pointer.ts';
import type { Pointer } from '../data/pointer.ts';
import type { Composing } from './composing.ts';

/** Longest freeze in ms: one that was meant to be shorter must not block a desk for ever. */
const MAX_FREEZE_MS = 366 * 86_400_000;

export type Restrictions = ReturnType<typeof createRestrictions>;

/** Freezes the live composition, or the release of one part of it. Each change is one move of the pointer. */
export function createRestrictions(deps: {
  store: CompositionStore;
  composing: Pick<Composing, 'move' | 'audited'>;
  now(): Date;
}) {
  const { store, composing, now } = deps;

  const change = (
    kind: MoveKind,
    request: Omit<FreezeRequest, 'until'>,
    decide: (pointer: Pointer) => PointerChange | Promise<PointerChange>,
  ) =>
    composing.audited(kind, request, async () => {
      const { author, reason } = request;
      const pointer = await readPointerAt(store, request);
      if (!pointer) throw notFound('composition');
      const note = { kind, author, reason };
      return composing.move(pointer, await decide(pointer), note);
    });

  return {
    /** Replaces an earlier freeze. @throws invalidRequest unless it ends within a year from now. */
    freeze: (request: FreezeRequest): Promise<PointerInfo> =>
      change('freeze', request, () => {
        const { author, reason } = request;
        const [at, until] = [now(), new Date(request.until)];
        const ms = until.getTime() - at.getTime();
        if (ms <= 0 || ms > MAX_FREEZE_MS) throw invalidRequest('until', 'freeze_until');
        return { freeze: { until, at, author, reason } };
      }),

    /** @throws notFound if nothing is frozen. */
    unfreeze: (request: Omit<FreezeRequest, 'until'>): Promise<PointerInfo> =>
      change('unfreeze', request, ({ freeze }) => {
        if (!freeze || freeze.until <= now()) throw notFound('freeze');
        return { freeze: null };
      }),

    /** Replaces an earlier pin. @throws notFound if no such part is live. */
    pin: (request: PinRequest): Promise<PointerInfo> =>
      change('pin', request, async ({ composition, pins }) => {
        const { remote, author, reason } = request;
        const live = partsOf(await readComposition(store, composition));
        if (!live.some(({ name }) => name === remote)) throw notFound('remote', remote);
        const others = pins.filter(({ part }) => part !== remote);
        return { pins: [...others, { part: remote, at: now(), author, reason }] };
      }),

    /** @throws notFound if it is not pinned. */
    unpin: (request: PinRequest): Promise<PointerInfo> =>
      change('unpin', request, ({ pins }) => {
        const left = pins.filter(({ part }) => part !== request.remote);
        if (left.length === pins.length) throw notFound('pin', request.remote);
        return { pins: left };
      }),
  };
}
