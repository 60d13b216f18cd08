import type { CompositionInfo, PointerInfo } from '../contract/compositions.ts';
import type { Chosen, Composition } from './composition.ts';
import type { PointerState } from './pointer.ts';

/** Converts a composition to the response format. */
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

/**
 * Converts the pointer to the response format; `live` and `canary` are the compositions that it names, for
 * `rollbackTarget` see `findRollbackTarget`.
 */
export function describePointer(
  environment: string,
  pointer: PointerState,
  live: Composition,
  canary: Composition | null,
  rollbackTarget: string | null,
): PointerInfo {
  const running = pointer.canary;
  return {
    environment,
    revision: pointer.revision,
    composition: describeComposition(live),
    previous: rollbackTarget,
    movedAt: pointer.movedAt.toISOString(),
    canary:
      running && canary
        ? {
            composition: describeComposition(canary),
            share: running.share,
            author: running.author,
            reason: running.reason,
            startedAt: running.startedAt.toISOString(),
            halted: running.halted && {
              at: running.halted.at.toISOString(),
              reason: running.halted.reason,
            },
          }
        : null,
  };
}

function describeChosen({ name, release, version, base, digest, previous }: Chosen) {
  return { name, release, version, base, digest, previous };
}
