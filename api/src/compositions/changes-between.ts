import type { ReleaseChange } from '../contract/compositions.ts';
import type { Chosen, Composition } from './composition.ts';

/** Release changes from `from` to `to` (all releases if `from` is null), the host first, then by name. */
export function changesBetween(from: Composition | null, to: Composition): ReleaseChange[] {
  const before = byName(from);
  const after = byName(to);
  return namesOf(before, after)
    .filter((name) => before.get(name)?.release !== after.get(name)?.release)
    .map((name) => ({
      name,
      from: before.get(name)?.version ?? null,
      to: after.get(name)?.version ?? null,
    }));
}

/** All names in either map, the host first, then by name. */
export function namesOf(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.sort((a, b) => Number(b === 'host') - Number(a === 'host') || (a < b ? -1 : 1));
}

function byName(composition: Composition | null): Map<string, Chosen> {
  const chosen = composition ? [composition.host, ...composition.remotes] : [];
  return new Map(chosen.map((one) => [one.name, one]));
}
