import type { RemoteFailure, RemoteLoad } from '../remotes/remote-loader.ts';

/** Events to be reported; `at` in ms since navigation started, `release` if known. */
export type LogEntry =
  | ({ kind: 'load' } & RemoteLoad)
  | ({ kind: 'failure' } & RemoteFailure)
  | { kind: 'error'; error: unknown; source: string; release?: { remote: string; version: string } }
  | { kind: 'shown'; remote: string; version: string; at: number };

/** Maximum number of collected events: further ones are most likely repetitions. */
const MAX_ENTRIES = 50;

export type PageLog = ReturnType<typeof createPageLog>;

/** Collects events and uncaught errors until the reporting chunk is loaded. Small, because it runs before the first screen. */
export function createPageLog(page: Window) {
  const entries: LogEntry[] = [];
  let deliver = (entry: LogEntry) => {
    if (entries.length < MAX_ENTRIES) entries.push(entry);
  };
  page.addEventListener('error', ({ error, message, filename }) =>
    deliver({ kind: 'error', error: error ?? message, source: filename }),
  );
  page.addEventListener('unhandledrejection', ({ reason }) =>
    deliver({ kind: 'error', error: reason, source: '' }),
  );
  return {
    add: (entry: LogEntry): void => deliver(entry),
    /** Passes all events to `listener`, beginning with those collected so far. */
    subscribe(listener: (entry: LogEntry) => void): void {
      deliver = listener;
      for (const entry of entries.splice(0)) listener(entry);
    },
  };
}
