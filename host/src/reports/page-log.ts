import type { RemoteArrival, RemoteFailure } from '../remotes/remote-loader.ts';

/** Events to be reported; `at` in ms since navigation started, `release` if known. */
export type Noted =
  | ({ kind: 'load' } & RemoteArrival)
  | ({ kind: 'failure' } & RemoteFailure)
  | { kind: 'error'; error: unknown; source: string; release?: { remote: string; version: string } }
  | { kind: 'shown'; remote: string; version: string; at: number };

/** Collects events until the reporting chunk is loaded. */
export interface PageLog {
  note(noted: Noted): void;
  /** Passes all events to `listener`, beginning with those collected so far. */
  follow(listener: (noted: Noted) => void): void;
}

/** Maximum number of collected events: further ones are most likely repetitions. */
const KEPT = 50;

/** Small, because it runs before the first screen. Also collects uncaught errors. */
export function createPageLog(page: Window): PageLog {
  const kept: Noted[] = [];
  let tell = (noted: Noted) => {
    if (kept.length < KEPT) kept.push(noted);
  };
  page.addEventListener('error', ({ error, message, filename }) =>
    tell({ kind: 'error', error: error ?? message, source: filename }),
  );
  page.addEventListener('unhandledrejection', ({ reason }) =>
    tell({ kind: 'error', error: reason, source: '' }),
  );
  return {
    note: (noted) => tell(noted),
    follow(listener) {
      tell = listener;
      for (const noted of kept.splice(0)) listener(noted);
    },
  };
}
