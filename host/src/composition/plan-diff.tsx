import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CompositionInfo } from 'api/contract/compositions';
import { DiffParts } from './diff-parts.tsx';
import { diffReleases } from './diff-releases.ts';
import { Problem } from './problem.tsx';
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
    return <Problem title={t('diff.failed')} failure={diff.error} retry={() => void diff.refetch()} />;
  if (!diff.data) return <span className="skeleton-line full" role="status" aria-label={t('loading')} />;
  return <DiffParts parts={diff.data} />;
}
