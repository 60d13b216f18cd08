import type { Logger } from 'pino';
import type { Health, HealthRow, VitalName } from '../../contract/reports.ts';
import { partsOf } from '../data/changes-between.ts';
import { type CompositionStore, readComposition, yankedReleases } from '../data/composition-store.ts';
import { readPointer } from '../data/move-pointer.ts';
import { type HealthCount, type HealthCountModel, sumOf } from '../data/page-counts.ts';
import { added, p75, vitalNames } from './histogram.ts';
import { NARROW, spanOf, WIDE } from './write-counts.ts';

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

/** Period of reports considered, in ms. */
const PERIOD_MS = 3_600_000;
/** Minimum number of failed pages for an alarm. */
const MIN_FAILED = 3;

/** Logs an error when a live release fails: once per release, composition and process. */
export function createLiveAlarm(deps: {
  store: CompositionStore;
  counts: HealthCountModel;
  log: Pick<Logger, 'error'>;
  now(): Date;
}): { look(): Promise<void> } {
  const { store, counts, log, now } = deps;
  let composition = '';
  let alarmed = new Set<string>();

  return {
    async look() {
      const pointer = await readPointer(store);
      if (!pointer) return;
      if (pointer.composition !== composition) {
        composition = pointer.composition;
        alarmed = new Set();
      }
      const live = await readComposition(store, composition);
      if (!live) return;
      const from = spanOf(new Date(Math.max(pointer.movedAt.getTime(), now().getTime() - PERIOD_MS)), NARROW);
      const found = await counts.find({ step: NARROW, at: { $gte: from }, composition }).lean();
      for (const { name, version, release } of partsOf(live)) {
        const own = found.filter((count) => count.remote === name && count.version === version);
        const sum = sumOf(own);
        const { failed, pages } = failuresOf(sum);
        if (alarmed.has(release) || failed < MIN_FAILED || verdictOf(sum) !== 'failing') continue;
        alarmed.add(release);
        log.error(
          { composition, release, failed, pages, error: firstError(own) },
          'a live release is failing',
        );
      }
    },
  };
}

/** The most frequent failure text. */
function firstError(counts: readonly HealthCount[]): string | undefined {
  const texts = counts.flatMap((one) => Object.values(one.texts ?? {}));
  return texts.filter(({ kind }) => kind === 'failure').sort((a, b) => b.count - a.count)[0]?.error;
}
