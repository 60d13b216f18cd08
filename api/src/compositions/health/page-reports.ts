import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { PageReport } from '../../contract/contract.ts';
import type { CanaryTallyModel } from '../canary-tally.ts';
import type { CompositionStore } from '../composition-store.ts';
import type { HealthCountModel } from '../health-count.ts';
import { readPointer } from '../move-pointer.ts';
import { createGathered, type SlotCounts } from './gathered.ts';
import { createKnownParts } from './known-parts.ts';
import { createPagesSeen } from './pages-seen.ts';
import { createServedPages, type ServedPages } from './served-pages.ts';
import { SLOTS } from './slots.ts';
import { createCountWriter } from './write-counts.ts';

/** What comes in is written together so often, in ms. */
const WRITE_EVERY = 1000;
/** Pages that were sent are looked through for such as have had their time so often, in ms. */
const DUE_EVERY = 2000;
/** While the store is away the log hears of it so often, in ms: reports come in all the same. */
const TELL_EVERY = 60_000;

export interface PageReports {
  /**
   * Takes in what a page tells; what names a release that it cannot have is dropped, and so is what cannot be looked up. Counted when it resolves, in the store a second
   * later. `address` is only told apart from others.
   */
  take(report: PageReport, address: string): Promise<void>;
  /**
   * A page of `composition`, with this version of the host, was sent to `address`. One that works reports within some seconds, if a
   * browser opened it.
   */
  served(page: { composition: string; version: string; isOpened: boolean }, address: string): void;
  /** Writes what has been gathered. Never rejects: what cannot be written is lost, and logged. */
  flush(): Promise<void>;
  /** Writes what is left, and nothing after that. */
  stop(): Promise<void>;
}

export interface PageReportsDeps {
  store: Pick<CompositionStore, 'compositions' | 'pointers' | 'moves'>;
  models: { counts: HealthCountModel; tallies: CanaryTallyModel };
  /** Serves the telling apart of addresses alone, see `deriveKey`. */
  key: Buffer;
  /** Hears that there are new counts. */
  onCounted?(): void;
  /** Hears that a running canary's counts have changed. */
  onTallied(): void;
  log: Pick<Logger, 'warn'>;
  now(): Date;
}

/** Counts what pages tell. A report costs no write of its own: all of a second are added up and written in one go. */
export function createPageReports(deps: PageReportsDeps): PageReports {
  const { store, models, key, onCounted, onTallied, log, now } = deps;
  const known = createKnownParts(store, now);
  const seen = createPagesSeen();
  const gathered = createGathered();
  const writer = createCountWriter(models);
  const servedPages = createServedPages();
  let timer: NodeJS.Timeout | null = null;
  let servedTimer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;
  let toldAt = Number.NEGATIVE_INFINITY;

  const slotOf = (address: string) =>
    createHmac('sha256', key).update(address).digest().readUInt32BE(0) % SLOTS;

  function tellLoss(cause: unknown): void {
    servedPages.clear();
    const at = now().getTime();
    if (at - toldAt < TELL_EVERY) return;
    toldAt = at;
    log.warn({ err: cause }, 'what pages reported could not be counted');
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
      tellLoss(cause);
    }
  }

  /** Only while a canary runs: of it, and of what is live meanwhile. */
  async function writeTallies(
    slots: readonly SlotCounts[],
    due: readonly ServedPages[],
    at: Date,
  ): Promise<boolean> {
    const pointer = await readPointer(store);
    const canary = pointer?.canary;
    if (!canary || canary.halted) return false;
    const compared = new Set([pointer.composition, canary.composition]);
    // Pages that were sent before it began have reported before.
    for (const { at: sentAt, composition, slot, count } of due) {
      const host = slots.find(
        (one) => one.composition === composition && one.slot === slot && one.remote === 'host',
      );
      if (host && sentAt < canary.startedAt) host.served -= count;
    }
    await writer.writeSlots(
      slots.filter(({ composition }) => compared.has(composition)),
      canary.startedAt,
      at,
    );
    return true;
  }

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
    if (!servedPages.isEmpty()) servedTimer ??= setTimeout(flushServed, DUE_EVERY).unref();
  }

  return {
    async take({ page, composition, events }, address) {
      const parts = await known.find(composition).catch(tellLoss);
      if (!parts || isStopped) return;
      const slot = slotOf(address);
      for (const event of events) {
        const part = parts.get(event.remote);
        const isChosen = part?.version === event.version;
        if (!part || !(isChosen || part.previous === event.version)) continue;
        const told = seen.toldBy(page, `${composition} ${event.remote}@${event.version}`);
        gathered.add(composition, event, told, isChosen ? slot : undefined);
      }
      timer ??= setTimeout(flush, WRITE_EVERY).unref();
    },
    served({ composition, version, isOpened }, address) {
      if (isStopped) return;
      servedPages.add({ at: now(), composition, version, slot: slotOf(address) }, isOpened);
      waitForServed();
    },
    flush,
    async stop() {
      isStopped = true;
      if (servedTimer) clearTimeout(servedTimer);
      await flush();
    },
  };
}
