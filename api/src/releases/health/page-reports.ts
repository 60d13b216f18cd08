import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { PageReport, PageTrace } from '../../contract/reports.ts';
import type { Metrics } from '../../metrics/create-metrics.ts';
import { tracer } from '../../tracing/span.ts';
import { partsOf } from '../data/changes-between.ts';
import { type Composition, type CompositionStore, compositionsById } from '../data/composition-store.ts';
import { readPointer } from '../data/move-pointer.ts';
import type { CanaryTallyModel, HealthCountModel } from '../data/page-counts.ts';
import { runningCanaries, shownCompositions } from '../data/pointer.ts';
import {
  createPagesSeen,
  createPendingCounts,
  createServedPages,
  type ServedPages,
  type SlotCounts,
} from './pending-counts.ts';
import { ADDRESS_GROUPS, createCountWriter } from './write-counts.ts';

/** Interval between writes, in ms. */
const WRITE_INTERVAL_MS = 1000;

/** Interval for checking which served pages should have reported by now, in ms. */
const DUE_INTERVAL_MS = 2000;

/** Minimum interval of log entries while the store is unavailable, in ms. */
const LOG_INTERVAL_MS = 60_000;

export interface PageReportsDeps {
  store: CompositionStore;
  models: { counts: HealthCountModel; tallies: CanaryTallyModel };
  /** Key for hashing addresses, used for nothing else, see `deriveKey`. */
  key: Buffer;
  onCounted?(): void;
  /** Called when counts of a running canary have changed. */
  onTallied(): void;
  metrics?: Pick<Metrics, 'page'> | null;
  log: Pick<Logger, 'warn'>;
  now(): Date;
}

export type PageReports = ReturnType<typeof createPageReports>;

/** Counts are written once a second, so that a report causes no write of its own. */
export function createPageReports(deps: PageReportsDeps) {
  const { store, models, key, onCounted, onTallied, log, now } = deps;
  const known = createKnownParts(store, now);
  const seen = createPagesSeen();
  const gathered = createPendingCounts();
  const writer = createCountWriter(models);
  const servedPages = createServedPages();
  let timer: NodeJS.Timeout | null = null;
  let servedTimer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;
  let toldAt = Number.NEGATIVE_INFINITY;

  const slotOf = (address: string) =>
    createHmac('sha256', key).update(address).digest().readUInt32BE(0) % ADDRESS_GROUPS;

  function logLoss(cause: unknown): void {
    servedPages.clear();
    const at = now().getTime();
    if (at - toldAt < LOG_INTERVAL_MS) return;
    toldAt = at;
    log.warn({ err: cause }, 'counting page reports failed');
  }

  async function write(): Promise<void> {
    const at = now();
    const due = servedPages.takeDue(at);
    for (const pages of due) gathered.addServed(pages);
    const { releases, slots } = gathered.take();
    if (releases.length === 0) return;
    try {
      await writer.writeReleases(releases, at);
      onCounted?.();
      if (await writeTallies(slots, due, at)) onTallied();
    } catch (cause) {
      logLoss(cause);
    }
  }

  /** Writes counts of the compositions that are compared, once for each running canary and for a watch. */
  async function writeTallies(slots: readonly SlotCounts[], due: readonly ServedPages[], at: Date) {
    const pointer = await readPointer(store);
    if (!pointer) return false;
    const watch = pointer.watch && pointer.watch.until > at ? [pointer.watch] : [];
    const runs = [...runningCanaries(pointer), ...watch].map(({ startedAt }) => startedAt);
    const compared = new Set([...shownCompositions(pointer), ...watch.map(({ from }) => from)]);
    for (const run of runs)
      await writer.writeSlots(
        slots
          .filter(({ composition }) => compared.has(composition))
          .map((counts) => {
            const served = (counts.fields.served ?? 0) - servedBefore(run, counts, due);
            return { ...counts, fields: { ...counts.fields, served } };
          }),
        run,
        at,
      );
    return runs.length > 0;
  }

  /** Writes the accumulated counts. Never rejects: counts that cannot be written are dropped, and this is logged. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  }

  function flushServed(): void {
    servedTimer = null;
    if (isStopped) return;
    void flush();
    waitForServed();
  }

  function waitForServed(): void {
    if (!servedPages.isEmpty()) servedTimer ??= setTimeout(flushServed, DUE_INTERVAL_MS).unref();
  }

  return {
    /**
     * Accepts a report of a page. Reports that name a release the page cannot have, or that cannot be verified,
     * are dropped. It is counted when this resolves and stored within a second. `address` is only used to
     * distinguish senders.
     */
    async take({ page, composition, events, trace }: PageReport, address: string): Promise<void> {
      const parts = await known.find(composition).catch(logLoss);
      if (!parts || isStopped) return;
      const slot = slotOf(address);
      for (const event of events) {
        const part = parts.get(event.remote);
        const isChosen = part?.version === event.version;
        if (!part || !(isChosen || part.previous === event.version)) continue;
        const reported = seen.reportedBy(page, `${composition} ${event.remote}@${event.version}`);
        deps.metrics?.page(composition, event);
        gathered.add(composition, event, reported, isChosen ? slot : undefined);
      }
      if (trace)
        tracePage(
          {
            ...trace,
            spans: trace.spans.filter(({ remote, version }) => parts.get(remote)?.version === version),
          },
          composition,
        );
      timer ??= setTimeout(flush, WRITE_INTERVAL_MS).unref();
    },
    /** Pages of `composition` that were served to `address`: working ones report within seconds. */
    served(
      { composition, version, isOpened }: { composition: string; version: string; isOpened: boolean },
      address: string,
    ): void {
      if (isStopped) return;
      servedPages.add({ at: now(), composition, version, slot: slotOf(address) }, isOpened);
      waitForServed();
    },
    flush,
    /** Writes the remaining counts; nothing is written afterwards. */
    async stop(): Promise<void> {
      isStopped = true;
      if (servedTimer) clearTimeout(servedTimer);
      await flush();
    },
  };
}

/** Number of these pages of the host that were served before `run`; they also reported before it. */
function servedBefore(run: Date, counts: SlotCounts, due: readonly ServedPages[]): number {
  if (counts.remote !== 'host') return 0;
  return due
    .filter(
      ({ at, composition, slot }) => at < run && composition === counts.composition && slot === counts.slot,
    )
    .reduce((sum, { count }) => sum + count, 0);
}

/** Turns the measurements of a page into spans of the trace of its request, with times by this machine's clock, like all spans. */
function tracePage({ parent, age, spans }: PageTrace, composition: string): void {
  const navigationAt = Date.now() - age;
  const request = propagation.extract(ROOT_CONTEXT, { traceparent: parent });
  for (const { remote, version, what, at, ms } of spans) {
    const startTime = navigationAt + at;
    const attributes = { 'desk.remote': remote, 'desk.version': version, 'desk.composition': composition };
    tracer()
      .startSpan(`${what} ${remote}`, { startTime, attributes }, request)
      .end(startTime + ms);
  }
}

/** Keyed by remote name or `host`. */
type Parts = ReadonlyMap<string, { version: string; previous: string | null }>;

/** Maximum age of a tab whose reports are accepted, in ms. */
const MAX_TAB_AGE_MS = 7 * 86_400_000;

/** Maximum number of moves read. */
const MAX_MOVES = 500;

/** Minimum interval between reads in ms, however many unknown names arrive. */
const READ_INTERVAL_MS = 250;

/** Which releases a page may report on. Reads only for compositions that have just gone live. */
export function createKnownParts(store: CompositionStore, now: () => Date) {
  let known = new Map<string, Parts>();
  let readAt = 0;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    await wait(Math.max(0, readAt + READ_INTERVAL_MS - performance.now()), undefined, { ref: false });
    readAt = performance.now();
    const ids = await recentIds(store, new Date(now().getTime() - MAX_TAB_AGE_MS));
    const found = await compositionsById(
      store,
      [...ids].filter((id) => !known.has(id)),
    );
    const next = new Map([...known].filter(([id]) => ids.has(id)));
    for (const [id, composition] of found) next.set(id, versionsOf(composition));
    known = next;
  }

  return {
    /** undefined if the composition is not live, was not live recently and was not a canary recently. */
    async find(composition: string): Promise<Parts | undefined> {
      // A read that was already running may have started before the composition went live; a second one
      // cannot have.
      for (let reads = 0; reads < 2 && !known.has(composition); reads += 1) {
        reading ??= read().finally(() => {
          reading = null;
        });
        await reading;
      }
      return known.get(composition);
    },
  };
}

/** The live composition, those that a visitor may still have open, and canaries. */
async function recentIds(store: CompositionStore, since: Date): Promise<Set<string>> {
  const pointer = await readPointer(store);
  const moves = await store.moves.find().sort({ _id: -1 }).limit(MAX_MOVES).lean();
  const recent = moves.filter(({ at }) => at >= since);
  const named = [
    ...(pointer ? shownCompositions(pointer) : []),
    ...recent.flatMap(({ composition, from, canary }) => [composition, from, canary]),
  ];
  return new Set(named.filter((id) => typeof id === 'string'));
}

function versionsOf(composition: Composition): Parts {
  return new Map(
    partsOf(composition).map(({ name, version, previous }) => [
      name,
      { version, previous: previous?.slice(previous.lastIndexOf('@') + 1) ?? null },
    ]),
  );
}
