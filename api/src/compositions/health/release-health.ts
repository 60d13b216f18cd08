import type { HealthCount, HealthCountModel } from '../health-count.ts';
import { WIDE } from './write-counts.ts';

/** What pages that got a release told of it. */
export type Verdict = 'working' | 'failing' | 'unknown';

type Counts = Pick<HealthCount, 'loads' | 'failures'> & { opened?: number };

/** At least half of few pages, or a tenth of many: what fails for so many is no bad connection. */
const FEW = { failed: 1, part: 0.5 };
const MANY = { failed: 5, part: 0.1 };
/** Pages without which nothing follows from reports that did not come. */
const LEAST_OPENED = 5;

export function verdictOf(counts: Counts): Verdict {
  const { failed, pages } = troubleOf(counts);
  const fails = ({ failed: least, part }: typeof FEW) => failed >= least && failed >= pages * part;
  if (fails(FEW) || fails(MANY)) return 'failing';
  return counts.loads > 0 ? 'working' : 'unknown';
}

/** Pages in which the release failed, or whose host never reported, of all pages that are known of. */
export function troubleOf({ loads, failures, opened = 0 }: Counts): { failed: number; pages: number } {
  const silent = opened - loads - failures;
  const failed = failures + (opened >= LEAST_OPENED && silent * 2 >= opened ? silent : 0);
  return { failed, pages: loads + failed };
}

export interface ReleaseHealth {
  /** By the name of the release, of all that pages told of in the last 8 days. What is not there is unknown. */
  verdicts(): Promise<ReadonlyMap<string, Verdict>>;
}

export function createReleaseHealth(deps: {
  counts: HealthCountModel;
  /** Writes what has been reported and is not counted yet. */
  flush(): Promise<void>;
}): ReleaseHealth {
  const { counts, flush } = deps;
  return {
    async verdicts() {
      await flush();
      const found = await counts
        .find({ step: WIDE }, { remote: 1, version: 1, loads: 1, failures: 1, opened: 1 })
        .lean<Pick<HealthCount, 'remote' | 'version' | 'loads' | 'failures' | 'opened'>[]>();
      const sums = new Map<string, Required<Counts>>();
      for (const { remote, version, loads, failures, opened } of found) {
        const release = `${remote}@${version}`;
        const sum = sums.get(release) ?? { loads: 0, failures: 0, opened: 0 };
        sum.loads += loads ?? 0;
        sum.failures += failures ?? 0;
        sum.opened += opened ?? 0;
        sums.set(release, sum);
      }
      return new Map([...sums].map(([release, sum]) => [release, verdictOf(sum)]));
    },
  };
}
