import type {
  CanaryInfo,
  CompositionChoice,
  CompositionInfo,
  EnvironmentInfo,
  MoveInfo,
  PointerInfo,
  PromotedFrom,
  ReleaseChange,
} from 'api/contract/compositions';

/** A change to what is live. `undoes` marks a change offered as undo in a toast. */
export type Change = { undoes?: boolean } & (
  | { kind: 'set'; choice: CompositionChoice }
  | { kind: 'promotion'; choice: CompositionChoice; promotedFrom: PromotedFrom }
  | { kind: 'rollback'; to: string }
  | { kind: 'canary'; choice: CompositionChoice; share: number }
  | { kind: 'share'; share: number; canary?: string }
  | { kind: 'promote' | 'abort' | 'pause' | 'resume'; canary?: string }
);

/** The possible shares of a canary in per cent. */
export const SHARES = [0, 5, 10, 25, 50] as const;

/** The differences of two compositions, the host first, then by name; null where a remote is missing. */
export function changesBetween(from: CompositionInfo, to: CompositionInfo): ReleaseChange[] {
  const before = versionsOf(from);
  const after = versionsOf(to);
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, from: before.get(name) ?? null, to: after.get(name) ?? null }))
    .filter((change) => change.from !== change.to);
}

/** The change that makes the releases of another environment live here; undefined if they are the same. */
export function promotionOf(from: EnvironmentInfo, live: CompositionInfo): Change | undefined {
  const { name: environment, composition, revision } = from;
  if (!composition) return undefined;
  const parts = new Map(partsOf(live).map(({ name, release }) => [name, release]));
  const wanted = partsOf(composition);
  const releases = wanted
    .filter(({ name, release }) => parts.get(name) !== release)
    .map(({ release }) => release);
  const without = [...parts.keys()].filter((name) => !wanted.some((part) => part.name === name));
  if (releases.length + without.length === 0) return undefined;
  const promotedFrom = { environment, composition: composition.id, revision };
  return { kind: 'promotion', choice: { releases, without }, promotedFrom };
}

/** The differences after putting these releases ('mfe-chat@1.4.0') into the live composition and removing the remotes `without`. */
export function changesOf(
  live: CompositionInfo,
  releases: readonly string[],
  without: readonly string[] = [],
): ReleaseChange[] {
  const before = versionsOf(live);
  const chosen = releases.map((release) => {
    const at = release.lastIndexOf('@');
    const name = release.slice(0, at);
    return { name, from: before.get(name) ?? null, to: release.slice(at + 1) };
  });
  return [...chosen, ...without.map((name) => ({ name, from: before.get(name) ?? null, to: null }))];
}

/** The canary that the change concerns, by default the first; null if there is none. */
export function canaryOf(change: Change, { canaries }: Pick<PointerInfo, 'canaries'>): CanaryInfo | null {
  const named = 'canary' in change ? canaries.find(({ id }) => id === change.canary) : undefined;
  return named ?? ('canary' in change && change.canary ? null : (canaries[0] ?? null));
}

/** The change that undoes `change`, which has turned `before` into `after`; undefined if it cannot be undone. */
export function undoOf(change: Change, before: PointerInfo, after: PointerInfo): Change | undefined {
  if (change.undoes) return undefined;
  if (change.kind === 'canary') {
    const started = after.canaries.at(-1);
    return { kind: 'abort', undoes: true, ...(started ? { canary: started.id } : {}) };
  }
  if (change.kind === 'pause' || change.kind === 'resume') return undefined;
  if (change.kind === 'share') {
    const canary = canaryOf(change, before);
    return canary && !canary.halted
      ? { kind: 'share', share: canary.share, canary: canary.id, undoes: true }
      : undefined;
  }
  const hasMoved = before.composition.id !== after.composition.id;
  return hasMoved ? { kind: 'rollback', to: before.composition.id, undoes: true } : undefined;
}

/** The environment that a promotion takes its releases from, '' for other changes. */
export function sourceOf(change: Change): string {
  return change.kind === 'promotion' ? change.promotedFrom.environment : '';
}

/** The first eight digits of a composition's id, for display. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** The releases of a composition, the host first. */
export function partsOf({ host, remotes }: CompositionInfo): CompositionInfo['remotes'] {
  return [host, ...remotes];
}

/** Versions by name of the remote. */
export function versionsOf(composition: CompositionInfo): Map<string, string> {
  return new Map(partsOf(composition).map(({ name, version }) => [name, version]));
}

/** Whether the change chose the live composition; others concern a canary or restrictions such as a freeze. */
export function isLiveMove({ kind }: MoveInfo): boolean {
  return kind === 'start' || kind === 'set' || kind === 'rollback' || kind === 'promote';
}
