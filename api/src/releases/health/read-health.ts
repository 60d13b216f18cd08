import type { Health, HealthRow, VitalName } from '../../contract/reports.ts';
import { type HealthCount, type HealthCountModel, sumOf } from '../data/health-count.ts';
import { added, p75, vitalNames } from './histogram.ts';
import { verdictOf } from './release-health.ts';
import { NARROW, spanOf, WIDE } from './write-counts.ts';

/** Longer periods are returned in wide spans, in minutes: at most 145 narrow or 169 wide ones. */
const MAX_NARROW_MINUTES = 720;
/** Documents read, latest first: far more than releases can have been live in the period. */
const MAX_DOCUMENTS = 20_000;
const MAX_TEXTS = 10;

/** Health by remote and version over the last `minutes`: the host first, then by name; most loads first. */
export async function readHealth(counts: HealthCountModel, minutes: number, now: Date): Promise<Health> {
  const step = minutes <= MAX_NARROW_MINUTES ? NARROW : WIDE;
  const from = spanOf(new Date(now.getTime() - minutes * 60_000), step);
  const found = await counts
    .find({ step, at: { $gte: from, $lte: now } }, { _id: 0, step: 0 })
    .sort({ at: -1 })
    .limit(MAX_DOCUMENTS)
    .lean<HealthCount[]>();
  const stepMs = step * 60_000;
  const spans: number[] = [];
  for (let at = from.getTime(); at <= now.getTime(); at += stepMs) spans.push(at);
  const byRemote = Map.groupBy(found, ({ remote }) => remote);
  const byRelease = Map.groupBy(found, ({ remote, version }) => `${remote}@${version}`);
  const rows = [...byRelease.values()].map((own) => rowOf(own, spans, byRemote.get(own[0]!.remote) ?? []));
  return { from: from.toISOString(), to: now.toISOString(), stepMs, rows: rows.sort(byName) };
}

function rowOf(
  own: readonly HealthCount[],
  spans: readonly number[],
  ofRemote: readonly HealthCount[],
): HealthRow {
  const { remote, version } = own[0]!;
  const bySpan = Map.groupBy(own, ({ at }) => at.getTime());
  const { served, opened, ...total } = sumOf(own);
  const all = sumOf(ofRemote).loads;
  return {
    remote,
    version,
    share: all === 0 ? 0 : Math.round((total.loads / all) * 10_000) / 100,
    ...(remote === 'host' ? { served, opened } : {}),
    ...total,
    isFailing: verdictOf({ ...total, opened }) === 'failing',
    vitals: Object.fromEntries(vitalNames.map((name) => [name, vitalOf(name, own)])) as HealthRow['vitals'],
    series: spans.map((at) => {
      const { loads, failures, errors } = sumOf(bySpan.get(at) ?? []);
      return { at: new Date(at).toISOString(), loads, failures, errors };
    }),
    lastErrors: lastErrorsOf(own),
  };
}

function vitalOf(name: VitalName, own: readonly HealthCount[]): { p75: number; count: number } | null {
  const found = p75(name, added(own.map(({ vitals }) => vitals?.[name] ?? {})));
  if (!found) return null;
  const digits = name === 'CLS' ? 1000 : 1;
  return { p75: Math.round(found.value * digits) / digits, count: found.count };
}

function lastErrorsOf(own: readonly HealthCount[]): HealthRow['lastErrors'] {
  const byText = new Map<string, HealthRow['lastErrors'][number]>();
  for (const { texts = {}, composition } of own) {
    for (const [key, { kind, error, count, lastAt }] of Object.entries(texts ?? {})) {
      const known = byText.get(key);
      const at = lastAt.toISOString();
      const isLater = !known || at > known.lastAt;
      byText.set(key, {
        kind,
        error,
        count: (known?.count ?? 0) + count,
        lastAt: isLater ? at : known.lastAt,
        composition: isLater ? composition : known.composition,
      });
    }
  }
  return [...byText.values()]
    .sort((a, b) => b.count - a.count || (a.lastAt < b.lastAt ? 1 : -1))
    .slice(0, MAX_TEXTS);
}

function byName(a: HealthRow, b: HealthRow): number {
  const rank = ({ remote }: HealthRow) => (remote === 'host' ? '' : remote);
  if (rank(a) !== rank(b)) return rank(a) < rank(b) ? -1 : 1;
  return b.loads - a.loads || (a.version < b.version ? 1 : -1);
}
