import { type CompositionStore, yankedReleases } from '../data/composition-store.ts';
import { type HealthCount, type HealthCountModel, sumOf } from '../data/health-count.ts';
import { WIDE } from './write-counts.ts';

/** Verdict on a release from the reports of its pages. */
export type Verdict = 'working' | 'failing' | 'unknown';

type Counts = Pick<HealthCount, 'loads' | 'failures'> & { opened?: number };

/** Share of pages that must fail: half of few pages, a tenth of many. Connection problems alone do not explain this. */
const FAILING_THRESHOLD = { failed: 1, part: 0.5 };
const MANY = { failed: 5, part: 0.1 };

/** Minimum number of opened pages for drawing conclusions from missing reports. */
const MIN_OPENED = 5;

export function verdictOf(counts: Counts): Verdict {
  const { failed, pages } = failuresOf(counts);
  const fails = ({ failed: least, part }: typeof FAILING_THRESHOLD) =>
    failed >= least && failed >= pages * part;
  if (fails(FAILING_THRESHOLD) || fails(MANY)) return 'failing';
  return counts.loads > 0 ? 'working' : 'unknown';
}

/** Pages in which the release failed, or whose host never reported, relative to all known pages. */
export function failuresOf({ loads, failures, opened = 0 }: Counts): { failed: number; pages: number } {
  const silent = opened - loads - failures;
  const failed = failures + (opened >= MIN_OPENED && silent * 2 >= opened ? silent : 0);
  return { failed, pages: loads + failed };
}

export type ReleaseHealth = ReturnType<typeof createReleaseHealth>;

export function createReleaseHealth(deps: {
  counts: HealthCountModel;
  store: CompositionStore;
  /** Writes reports that have not been stored yet. */
  flush(): Promise<void>;
}) {
  const { counts, store, flush } = deps;
  return {
    /** Verdicts by release, from reports of 8 days; missing if unknown. Yanked releases count as failing. */
    async verdicts(): Promise<ReadonlyMap<string, Verdict>> {
      await flush();
      const found = await counts
        .find({ step: WIDE }, { remote: 1, version: 1, loads: 1, failures: 1, opened: 1 })
        .lean();
      const byRelease = Map.groupBy(found, ({ remote, version }) => `${remote}@${version}`);
      const yanked = await yankedReleases(store);
      return new Map([
        ...[...byRelease].map(([release, own]) => [release, verdictOf(sumOf(own))] as const),
        ...yanked.map((release) => [release, 'failing'] as const),
      ]);
    },
  };
}
