import type { PageEvent, VitalName } from 'api/contract/reports';
import { type MetricType, onCLS, onINP, onLCP } from 'web-vitals';
import type { Composition } from '../remotes/composition.ts';
import { whenIdle } from '../when-idle.ts';
import { describeError, isExpected, scriptsIn } from './describe-error.ts';
import type { LogEntry, PageLog } from './page-log.ts';
import { readPageTrace } from './read-page-trace.ts';
import { createReleaseOfScript, type ReleaseName } from './release-of-script.ts';
import { sendReport } from './send-report.ts';

/** Maximum number of different errors reported per page. */
const MAX_ERRORS = 20;

/** Maximum number of stored screen changes, used to assign a web vital to a release. */
const MAX_SCREEN_CHANGES = 200;

interface Options {
  page: Window;
  /** Random id of this page load. */
  pageId: string;
  composition: Composition;
  log: PageLog;
  /** Measures web vitals; replaced in tests. */
  vitals?: typeof watchVitals;
}

/** Sends reports of loaded releases, failures, errors and web vitals, without user ids and content. Never throws. */
export function startReports({ page, pageId, composition, log, vitals = watchVitals }: Options): void {
  const { document, location, navigator } = page;
  const ids = { page: pageId, composition: composition.id };
  const sender = createSender((events) => sendReport(page, { ...ids, events }));
  const shown: (ReleaseName & { at: number })[] = [];
  const isShown = ({ remote, version }: ReleaseName) =>
    shown.findLast((screen) => screen.remote === remote)?.version === version;
  const releaseOf = createReleaseOfScript(composition, location.origin, isShown);
  const reported = new Set<string>();
  let cancel: (() => void) | undefined;

  const add = (event: PageEvent) => {
    sender.add(event);
    cancel?.();
    cancel = whenIdle(sender.flush);
  };

  const addError = (error: unknown, source: string, release?: ReleaseName) => {
    const owner = isExpected(error) ? undefined : (release ?? releaseOf(scriptsIn(error, source)));
    if (!owner) return;
    const text = describeError(error);
    const key = `${owner.remote}@${owner.version} ${text}`;
    if (reported.has(key) || reported.size >= MAX_ERRORS) return;
    reported.add(key);
    add({ ...owner, kind: 'error', error: text });
  };

  /** Stores only changes of the release, because tabs stay open for days. */
  const addShown = (next: ReleaseName & { at: number }) => {
    const last = shown.at(-1);
    if (last?.remote !== next.remote || last.version !== next.version) shown.push(next);
    if (shown.length > MAX_SCREEN_CHANGES) shown.shift();
  };

  const addEntry = (entry: LogEntry) => {
    if (entry.kind === 'error') return addError(entry.error, entry.source, entry.release);
    if (entry.kind === 'shown') return addShown(entry);
    if (entry.kind === 'load') return add(entry);
    // Without a network, and on a page opened while the server could not be reached, everything may fail, whatever the release.
    if (!navigator.onLine || document.documentElement.dataset.savedAt) return;
    add({ ...entry, error: describeError(entry.error) });
  };

  /** Reports a web vital once per release, for the screen that was shown at that time. */
  const addVital = (name: VitalName, value: number, at: number) => {
    const owner = shown.findLast((screen) => screen.at <= at) ?? shown[0];
    if (!owner) return;
    const { remote, version } = owner;
    const key = `${name} ${remote}@${version}`;
    if (reported.has(key)) return;
    reported.add(key);
    sender.add({ kind: 'vital', remote, version, name, value });
    // Web vitals are reported while the page is being hidden, when idle callbacks no longer run.
    if (document.visibilityState === 'hidden') sender.flush();
  };

  log.subscribe((entry) => {
    try {
      addEntry(entry);
    } catch {
      // Reading a property of the error has thrown.
    }
  });
  vitals(addVital);
  try {
    const trace = readPageTrace(page, composition);
    if (trace) sendReport(page, { ...ids, events: [], trace });
  } catch {
    // The browser does not support the measurement.
  }
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'hidden' && sender.flush(),
  );
  page.addEventListener('pagehide', sender.flush);
}

/** Maximum number of events in one report, and in total: further failures are most likely repetitions. */
const MAX_EVENTS_PER_REPORT = 20;
const MAX_EVENTS = 200;

/** @param send Passes a report to the browser; false if its queue is full. */
function createSender(send: (events: PageEvent[]) => boolean) {
  let queue: PageEvent[] = [];
  let count = 0;
  return {
    add(event: PageEvent): void {
      if (++count <= MAX_EVENTS) queue.push(event);
    },
    flush(): void {
      while (queue.length) {
        if (!send(queue.slice(0, MAX_EVENTS_PER_REPORT))) return;
        queue = queue.slice(MAX_EVENTS_PER_REPORT);
      }
    },
  };
}

/** Passes on the page's web vitals (ms; CLS without a unit) with the time they refer to, in ms since navigation started. */
function watchVitals(onVital: (name: VitalName, value: number, at: number) => void): void {
  const report = ({ name, value, entries }: MetricType) => {
    if (name === 'FCP' || name === 'TTFB') return;
    const exact = name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value);
    onVital(name, exact, entries.at(-1)?.startTime ?? 0);
  };
  try {
    for (const watch of [onLCP, onINP, onCLS]) watch(report);
  } catch {
    // The browser does not support the measurement.
  }
}
