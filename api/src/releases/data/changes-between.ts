import type { ReleaseChange } from '../../contract/compositions.ts';

interface Part {
  name: string;
  release: string;
  version: string;
}

interface Parts {
  host: Part;
  remotes: readonly Part[];
}

/** Release changes from `from` to `to` (all releases if `from` is null), the host first, then by name. */
export function changesBetween(from: Parts | null, to: Parts): ReleaseChange[] {
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

function byName(composition: Parts | null): Map<string, Part> {
  const chosen = composition ? [composition.host, ...composition.remotes] : [];
  return new Map(chosen.map((one) => [one.name, one]));
}
