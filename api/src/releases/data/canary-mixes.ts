import type { CanaryMix, Pointer, PointerCanary } from './pointer.ts';

type WithCanaries = Pick<Pointer, 'composition' | 'canaries' | 'mixes'>;

/**
 * The composition of visitors who are in exactly the canaries with these ids, given in the order of the
 * pointer. undefined if there is none.
 */
export function compositionFor(
  { composition, canaries, mixes }: WithCanaries,
  ids: readonly string[],
): string | undefined {
  if (ids.length === 0) return composition;
  if (ids.length === 1) return canaries.find(({ id }) => id === ids[0])?.composition;
  return mixes.find((mix) => mix.canaries.join() === ids.join())?.composition;
}

/** Every composition that visitors may currently get. */
export function shownCompositions({ composition, canaries, mixes }: WithCanaries): string[] {
  return [...new Set([composition, ...[...canaries, ...mixes].map((one) => one.composition)])];
}

/** The pointer's canaries without the one with this id. */
export function withoutCanary({ canaries, mixes }: WithCanaries, id: string) {
  return {
    canaries: canaries.filter((one) => one.id !== id),
    mixes: mixes.filter((mix) => !mix.canaries.includes(id)),
  };
}

/** The change that makes `canary` live: the others keep running, based on the new live composition. */
export function promotion(pointer: WithCanaries, { id, composition }: PointerCanary) {
  const rebased = (ids: readonly string[]) =>
    compositionFor(
      pointer,
      pointer.canaries.flatMap((one) => (one.id === id || ids.includes(one.id) ? [one.id] : [])),
    );
  const left = withoutCanary(pointer, id);
  return {
    composition,
    canaries: left.canaries.flatMap((one) => moved(one, rebased([one.id]))),
    mixes: left.mixes.flatMap((one) => moved(one, rebased(one.canaries))),
  };
}

function moved<T extends PointerCanary | CanaryMix>(one: T, composition: string | undefined): T[] {
  return composition === undefined ? [] : [{ ...one, composition }];
}

/** The pointer's canaries with one of them replaced. */
export function withCanary(
  { canaries }: Pick<Pointer, 'canaries'>,
  changed: PointerCanary,
): { canaries: PointerCanary[] } {
  return { canaries: canaries.map((one) => (one.id === changed.id ? changed : one)) };
}

/** Canaries that visitors are assigned to. */
export function runningCanaries({ canaries }: Pick<Pointer, 'canaries'>): PointerCanary[] {
  return canaries.filter(({ halted }) => !halted);
}

/** A start time that no other statistics of this pointer have. */
export function newRun({ canaries, watch }: Pick<Pointer, 'canaries' | 'watch'>, now: Date): Date {
  const taken = [...canaries, ...(watch ? [watch] : [])].map(({ startedAt }) => startedAt.getTime() + 1);
  return new Date(Math.max(now.getTime(), ...taken));
}

/** Every selection of these, including none and all, in the same order. */
export function subsetsOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_, index) => bits & (1 << index)));
}
