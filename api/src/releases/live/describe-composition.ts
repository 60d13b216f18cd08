import type { CanaryInfo, CompositionInfo, PointerInfo } from '../../contract/compositions.ts';
import type { Chosen, Composition } from '../data/composition-store.ts';
import type { PointerCanary, PointerState } from '../data/pointer.ts';

export function describeComposition(composition: Composition): CompositionInfo {
  const { _id, host, remotes, parent, author, reason, createdAt } = composition;
  return {
    id: _id,
    host: describeChosen(host),
    remotes: remotes.map(describeChosen),
    parent,
    author,
    reason,
    createdAt: createdAt.toISOString(),
  };
}

/** `live` and `canaries` are compositions that it names; see `findRollbackTarget`. */
export function describePointer(
  environment: string,
  pointer: PointerState,
  live: Composition,
  canaries: readonly Composition[],
  rollbackTarget: string | null,
  now: Date,
): PointerInfo {
  // Those that have ended are no longer shown.
  const freeze = pointer.freeze && pointer.freeze.until > now ? pointer.freeze : null;
  const watch = pointer.watch && pointer.watch.until > now ? pointer.watch : null;
  const described = pointer.canaries.map((canary, index) => describeCanary(canary, canaries[index]!));
  return {
    environment,
    revision: pointer.revision,
    composition: describeComposition(live),
    previous: rollbackTarget,
    movedAt: pointer.movedAt.toISOString(),
    canary: described[0] ?? null,
    canaries: described,
    freeze: freeze && { ...freeze, until: freeze.until.toISOString(), at: freeze.at.toISOString() },
    watch: watch && {
      startedAt: watch.startedAt.toISOString(),
      until: watch.until.toISOString(),
      from: watch.from,
    },
    pins: pointer.pins.map((pin) => ({ ...pin, at: pin.at.toISOString() })),
  };
}

export function describeCanary(canary: PointerCanary, composition: Composition): CanaryInfo {
  const { id, share, author, reason, startedAt, halted, paused, plan } = canary;
  return {
    id,
    composition: describeComposition(composition),
    share,
    author,
    reason,
    startedAt: startedAt.toISOString(),
    halted: halted && { at: halted.at.toISOString(), reason: halted.reason },
    paused: paused && { ...paused, at: paused.at.toISOString() },
    plan: plan && {
      steps: plan.steps,
      everySeconds: plan.everyMs / 1000,
      minPages: plan.minPages,
      since: plan.since.toISOString(),
    },
  };
}

function describeChosen({ name, release, version, base, digest, previous }: Chosen) {
  return { name, release, version, base, digest, previous };
}
