import type { RemoteArrival, RemoteFailure } from '../remotes/remote-loader.ts';

/** What happens on a page and is worth telling; `at` in ms since the page's start, `release` where it is known. */
export type Noted =
  | ({ kind: 'load' } & RemoteArrival)
  | ({ kind: 'failure' } & RemoteFailure)
  | { kind: 'error'; error: unknown; source: string; release?: { remote: string; version: string } }
  | { kind: 'shown'; remote: string; version: string; at: number };

/** Keeps what happens until the part that tells it has been fetched. */
export interface PageLog {
  note(noted: Noted): void;
  /** From now on `listener` hears everything, beginning with what was kept. */
  follow(listener: (noted: Noted) => void): void;
}

/** A page that fails more often than this before anybody listens fails in one way. */
const KEPT = 50;

/** Small, as it comes before the first screen. Hears what nobody has caught as well. */
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
