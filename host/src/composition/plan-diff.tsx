import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CompositionInfo, PartDiff } from 'api/contract/compositions';
import type { ReleaseDetails, ReleaseFileInfo } from 'api/contract/releases';
import { Problem } from 'host/ui/problem.tsx';
import { DiffParts } from './diff-parts.tsx';
import { useScreen } from './screen-context.ts';

/** Compares the plan with the live composition, before a composition of it exists. */
export function PlanDiff({ live, releases }: { live: CompositionInfo; releases: readonly string[] }) {
  const { t, calls } = useScreen();
  const diff = useQuery({
    queryKey: ['plan', live.id, releases],
    queryFn: ({ signal }) =>
      Promise.all(
        releases.map(async (release) => {
          const name = release.slice(0, release.lastIndexOf('@'));
          const before = [live.host, ...live.remotes].find((one) => one.name === name);
          const [from, to] = await Promise.all([
            before ? calls.release(before.release, signal) : null,
            calls.release(release, signal),
          ]);
          return diffReleases(from, to);
        }),
      ),
    placeholderData: keepPreviousData,
  });
  if (diff.error)
    return (
      <Problem
        level={3}
        title={t('diff.failed')}
        message={diff.error.message}
        retryLabel={t('retry')}
        onRetry={() => void diff.refetch()}
      />
    );
  if (!diff.data) return <span className="skeleton-line full" role="status" aria-label={t('loading')} />;
  return <DiffParts parts={diff.data} />;
}

/** Compares two releases of a remote file by file; null where there is none. */
function diffReleases(from: ReleaseDetails | null, to: ReleaseDetails): PartDiff {
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
