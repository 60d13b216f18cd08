import type { CompositionDiff, PartDiff } from '../../contract/compositions.ts';
import type { ReleaseFileInfo } from '../../contract/releases.ts';
import { notFound } from '../../errors/errors.ts';
import { byName, namesOf, releasesOf } from '../data/changes-between.ts';
import type { Composition, CompositionStore } from '../data/composition-store.ts';
import type { Release, ReleaseFile } from '../data/release.ts';
import { isSourceMap } from '../publish/source-maps.ts';

/** @throws notFound if a release of the two compositions no longer exists */
export async function readDiff(
  { releases }: CompositionStore,
  from: Composition,
  to: Composition,
): Promise<CompositionDiff> {
  const ids = [from, to].flatMap(releasesOf);
  const found = await releases.find({ _id: { $in: [...new Set(ids)] } }).lean();
  // Of a removed release only the name is known.
  const whole = found.filter(({ removed }) => removed?.phase !== 'gone');
  const known = new Map(whole.map((release) => [release._id, release]));
  const releasesIn = (composition: Composition) =>
    releasesOf(composition).map((id) => {
      const release = known.get(id);
      if (!release) throw notFound('release', id);
      return release;
    });
  return { from: from._id, to: to._id, ...compareParts(releasesIn(from), releasesIn(to)) };
}

/** Compares every part that either composition has, the host first, then by name. */
export function compareParts(
  from: readonly Release[],
  to: readonly Release[],
): Pick<CompositionDiff, 'parts' | 'bytes'> {
  const before = byName(from);
  const after = byName(to);
  const parts = namesOf(before, after).map((name) => comparePart(name, before.get(name), after.get(name)));
  return { parts, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function comparePart(name: string, before: Release | undefined, after: Release | undefined): PartDiff {
  const added = filesOnlyIn(after, before);
  const removed = filesOnlyIn(before, after);
  return {
    name,
    from: before?.version ?? null,
    to: after?.version ?? null,
    added: added.map(describeFile),
    removed: removed.map(describeFile),
    kept: sentFiles(after).length - added.length,
    bytes: sizeOf(added) - sizeOf(removed),
    exposesAdded: exposedOnlyBy(after, before),
    exposesRemoved: exposedOnlyBy(before, after),
    shared: compareShared(before, after),
    contract: { from: before?.contract ?? null, to: after?.contract ?? null },
  };
}

function exposedOnlyBy(one: Release | undefined, other: Release | undefined): string[] {
  const known = new Set(other?.exposes.map(({ name }) => name));
  const names = one?.exposes.map(({ name }) => name) ?? [];
  return names.filter((name) => !known.has(name)).sort();
}

/** A path with different content counts as another file. */
function filesOnlyIn(one: Release | undefined, other: Release | undefined): ReleaseFile[] {
  const known = new Set(other?.files.map(keyOf));
  return sentFiles(one).filter((file) => !known.has(keyOf(file)));
}

/** Files that browsers get, so no source maps. */
function sentFiles(release: Release | undefined): ReleaseFile[] {
  return release?.files.filter(({ path }) => !isSourceMap(path)) ?? [];
}

function keyOf({ path, integrity }: ReleaseFile): string {
  return `${path} ${integrity}`;
}

function compareShared(before: Release | undefined, after: Release | undefined): PartDiff['shared'] {
  const rangesOf = (release: Release | undefined) =>
    new Map(release?.shared.map(({ library, range }) => [library, range]));
  const from = rangesOf(before);
  const to = rangesOf(after);
  return [...new Set([...from.keys(), ...to.keys()])]
    .sort()
    .map((library) => ({ library, from: from.get(library) ?? null, to: to.get(library) ?? null }))
    .filter((range) => range.from !== range.to);
}

function sizeOf(files: readonly ReleaseFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function describeFile({ path, size, integrity, type }: ReleaseFile): ReleaseFileInfo {
  return { path, size, integrity, type };
}
