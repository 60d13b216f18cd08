import type { ReleaseChange } from '../../contract/compositions.ts';

interface Parts<T> {
  host: T;
  remotes: readonly T[];
}

/** The host first; none without a composition. */
export function partsOf<T>(composition: Parts<T> | null | undefined): T[] {
  return composition ? [composition.host, ...composition.remotes] : [];
}

/** The ids of its releases. */
export function releasesOf(composition: Parts<{ release: string }> | null | undefined): string[] {
  return partsOf(composition).map(({ release }) => release);
}

interface Part {
  name: string;
  release: string;
  version: string;
}

/** Release changes from `from` to `to` (all releases if `from` is null), the host first, then by name. */
export function changesBetween(from: Parts<Part> | null, to: Parts<Part>): ReleaseChange[] {
  const before = byName(partsOf(from));
  const after = byName(partsOf(to));
  return namesOf(before, after)
    .filter((name) => before.get(name)?.release !== after.get(name)?.release)
    .map((name) => ({ name, from: before.get(name)?.version ?? null, to: after.get(name)?.version ?? null }));
}

/** All names in either map, the host first, then by name. */
export function namesOf(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.sort((a, b) => Number(b === 'host') - Number(a === 'host') || (a < b ? -1 : 1));
}

export function byName<T extends { name: string }>(parts: readonly T[]): Map<string, T> {
  return new Map(parts.map((part) => [part.name, part]));
}
