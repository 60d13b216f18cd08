import type { CompositionInfo, PointerInfo } from 'api/contract/compositions';
import type { Health, HealthRow } from 'api/contract/reports';

/** One version of one remote: part of what is live, of the canary alone, or still running in tabs that stand open. */
export interface VersionRow {
  key: string;
  remote: string;
  version: string;
  role: 'live' | 'canary' | 'open';
  /** What pages told of it; nothing where none did. */
  told: HealthRow | undefined;
}

/** A canary that does worse than what it would replace. */
export interface Warning {
  row: VersionRow;
  live: VersionRow;
  measure: 'failures' | 'errors';
  /** How many times the live version's rate; Infinity where that has none. */
  times: number;
}

/** So few of them say nothing yet. */
const LEAST = 5;
const WORSE = 2;

/** By remote, the host first: live, canary, then what tabs still run, most seen first. */
export function rowsOf(
  { composition, canary }: Pick<PointerInfo, 'composition' | 'canary'>,
  health: Health | undefined,
): VersionRow[] {
  const live = partsOf(composition);
  const next = canary ? partsOf(canary.composition) : new Map<string, string>();
  const remotes = [...new Set([...live.keys(), ...next.keys()])];
  const told = health?.rows ?? [];
  return remotes.flatMap((remote) => {
    const row = (version: string, role: VersionRow['role']): VersionRow => ({
      key: `${remote}@${version}`,
      remote,
      version,
      role,
      told: told.find((one) => one.remote === remote && one.version === version),
    });
    const [liveVersion, nextVersion] = [live.get(remote), next.get(remote)];
    const named = [
      ...(liveVersion ? [row(liveVersion, 'live')] : []),
      ...(nextVersion && nextVersion !== liveVersion ? [row(nextVersion, 'canary')] : []),
    ];
    const others = told
      .filter((one) => one.remote === remote && ![liveVersion, nextVersion].includes(one.version))
      .sort((one, other) => other.share - one.share)
      .map(({ version }) => row(version, 'open'));
    return [...named, ...others];
  });
}

/**
 * How often it went wrong: failed loads of all that were tried, errors for each load. Infinity for errors where nothing was loaded,
 * null where nothing was even tried.
 */
export function rateOf(told: HealthRow | undefined, measure: 'failures' | 'errors'): number | null {
  if (!told) return null;
  const { loads, failures, errors } = told;
  if (measure === 'failures') return loads + failures > 0 ? failures / (loads + failures) : null;
  if (loads > 0) return errors / loads;
  return errors > 0 ? Number.POSITIVE_INFINITY : null;
}

/** The worst thing that a canary's remote does more often than the live version of it. */
export function warningOf(rows: readonly VersionRow[]): Warning | undefined {
  const found = rows.flatMap((row) => {
    const live = rows.find((other) => other.remote === row.remote && other.role === 'live');
    if (row.role !== 'canary' || !live) return [];
    return (['failures', 'errors'] as const).flatMap((measure) => {
      const [rate, usual] = [rateOf(row.told, measure), rateOf(live.told, measure)];
      if (rate === null || usual === null || (row.told?.[measure] ?? 0) < LEAST) return [];
      const times = usual === 0 ? Number.POSITIVE_INFINITY : rate / usual;
      return times >= WORSE ? [{ row, live, measure, times }] : [];
    });
  });
  return found.sort((one, other) => other.times - one.times)[0];
}

function partsOf({ host, remotes }: CompositionInfo): Map<string, string> {
  return new Map([host, ...remotes].map(({ name, version }) => [name, version]));
}
