import type { PartDiff } from 'api/contract/compositions';
import type { ReleaseDetails, ReleaseFileInfo } from 'api/contract/releases';

/** Compares two releases of a remote file by file; null where there is none. */
export function diffReleases(from: ReleaseDetails | null, to: ReleaseDetails): PartDiff {
  const before = from?.files ?? [];
  const has = (files: readonly ReleaseFileInfo[], { path, integrity }: ReleaseFileInfo) =>
    files.some((file) => file.path === path && file.integrity === integrity);
  const added = to.files.filter((file) => !has(before, file));
  const removed = before.filter((file) => !has(to.files, file));
  const [exposedBefore, exposes] = [Object.keys(from?.exposes ?? {}), Object.keys(to.exposes)];
  const libraries = [...new Set([...Object.keys(from?.shared ?? {}), ...Object.keys(to.shared)])];
  return {
    name: to.name,
    from: from?.version ?? null,
    to: to.version,
    added,
    removed,
    kept: to.files.length - added.length,
    bytes: sizeOf(added) - sizeOf(removed),
    exposesAdded: exposes.filter((key) => !exposedBefore.includes(key)),
    exposesRemoved: exposedBefore.filter((key) => !exposes.includes(key)),
    shared: libraries
      .map((library) => ({
        library,
        from: from?.shared[library] ?? null,
        to: to.shared[library] ?? null,
      }))
      .filter((range) => range.from !== range.to),
    contract: { from: from?.contract ?? null, to: to.contract },
  };
}

function sizeOf(files: readonly ReleaseFileInfo[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
