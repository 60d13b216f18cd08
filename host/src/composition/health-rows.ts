import type { PointerInfo } from 'api/contract/compositions';
import type { Health, HealthRow } from 'api/contract/reports';
import { versionsOf } from './change.ts';

/** A version of a remote: part of the live composition, of the canary only, or only in open tabs. */
export interface VersionRow {
  key: string;
  remote: string;
  version: string;
  role: 'live' | 'canary' | 'open';
  /** Its health as reported by pages; undefined without reports. */
  reported: HealthRow | undefined;
}

/** A canary that fails more often than the live version. */
export interface Warning {
  row: VersionRow;
  live: VersionRow;
  measure: 'failures' | 'errors';
  /** Factor compared with the live version's rate; Infinity if that is zero. */
  times: number;
}

/** Minimum number of events for a warning. */
const MIN_EVENTS = 5;
const WARNING_FACTOR = 2;

/** The versions of each remote, the host first: live, canary, then others in open tabs, most loaded first. */
export function rowsOf(
  { composition, canaries }: Pick<PointerInfo, 'composition' | 'canaries'>,
  health: Health | undefined,
): VersionRow[] {
  const live = versionsOf(composition);
  // Canaries never change the same remote.
  const next = new Map(
    canaries.flatMap((canary) =>
      [...versionsOf(canary.composition)].filter(([name, version]) => live.get(name) !== version),
    ),
  );
  const remotes = [...new Set([...live.keys(), ...next.keys()])];
  const reported = health?.rows ?? [];
  return remotes.flatMap((remote) => {
    const row = (version: string, role: VersionRow['role']): VersionRow => ({
      key: `${remote}@${version}`,
      remote,
      version,
      role,
      reported: reported.find((one) => one.remote === remote && one.version === version),
    });
    const [liveVersion, nextVersion] = [live.get(remote), next.get(remote)];
    const named = [
      ...(liveVersion ? [row(liveVersion, 'live')] : []),
      ...(nextVersion && nextVersion !== liveVersion ? [row(nextVersion, 'canary')] : []),
    ];
    const others = reported
      .filter((one) => one.remote === remote && ![liveVersion, nextVersion].includes(one.version))
      .sort((one, other) => other.share - one.share)
      .map(({ version }) => row(version, 'open'));
    return [...named, ...others];
  });
}

/** Failed loads per attempt, or errors per load. Infinity for errors without loads, null without attempts. */
export function rateOf(reported: HealthRow | undefined, measure: 'failures' | 'errors'): number | null {
  if (!reported) return null;
  const { loads, failures, errors } = reported;
  if (measure === 'failures') return loads + failures > 0 ? failures / (loads + failures) : null;
  if (loads > 0) return errors / loads;
  return errors > 0 ? Number.POSITIVE_INFINITY : null;
}

/** The measure in which a canary exceeds the live version most. */
export function warningOf(rows: readonly VersionRow[]): Warning | undefined {
  const found = rows.flatMap((row) => {
    const live = rows.find((other) => other.remote === row.remote && other.role === 'live');
    if (row.role !== 'canary' || !live) return [];
    return (['failures', 'errors'] as const).flatMap((measure) => {
      const [rate, usual] = [rateOf(row.reported, measure), rateOf(live.reported, measure)];
      if (rate === null || usual === null || (row.reported?.[measure] ?? 0) < MIN_EVENTS) return [];
      const times = usual === 0 ? Number.POSITIVE_INFINITY : rate / usual;
      return times >= WARNING_FACTOR ? [{ row, live, measure, times }] : [];
    });
  });
  return found.sort((one, other) => other.times - one.times)[0];
}
