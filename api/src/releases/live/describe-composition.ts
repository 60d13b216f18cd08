import { CanaryInfo, CompositionInfo, PointerInfo } from '../../contract/compositions.ts';
import { describeAs } from '../../store/describe-as.ts';
import type { Composition } from '../data/composition-store.ts';
import type { PointerCanary, PointerState } from '../data/pointer.ts';

export const describeComposition = (composition: Composition): CompositionInfo =>
  describeAs(CompositionInfo, composition);

/** `live` and `canaries` are compositions that it names; see `findRollbackTarget`. */
export function describePointer(
  environment: string,
  pointer: PointerState,
  live: Composition,
  canaries: readonly Composition[],
  rollbackTarget: string | null,
  now: Date,
): PointerInfo {
  const described = pointer.canaries.map((canary, index) => describeCanary(canary, canaries[index]!));
  // Freezes that have ended are not shown.
  const ifOpen = <T extends { until: Date }>(one: T | null) => (one && one.until > now ? one : null);
  return describeAs(PointerInfo, {
    ...pointer,
    environment,
    composition: describeComposition(live),
    previous: rollbackTarget,
    canary: described[0] ?? null,
    canaries: described,
    freeze: ifOpen(pointer.freeze),
    watch: ifOpen(pointer.watch),
  });
}

export function describeCanary(canary: PointerCanary, composition: Composition): CanaryInfo {
  const { plan } = canary;
  return describeAs(CanaryInfo, {
    ...canary,
    composition: describeComposition(composition),
    plan: plan && {
      steps: plan.steps,
      everySeconds: plan.everyMs / 1000,
      minPages: plan.minPages,
      since: plan.since,
    },
  });
}
