import { asFailure } from './failure.ts';
import { readEvents, type ServerEvent } from './read-events.ts';

export interface FollowedEvents {
  /** Opens the stream. Rejects with an error that has the response's `status`. */
  open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Called for each event. An exception counts as a broken stream. */
  onEvent(event: ServerEvent): void;
  /** Called when the stream has begun (true), and when it was lost and will be opened again (false). */
  onConnection?(isOpen: boolean): void;
}

/** Pause before the stream is opened again, in ms. It doubles after each failure and starts at `first` again after data was received. */
const PAUSE = { first: 1000, longest: 60_000 };

/** Time without data after which a stream counts as lost, in ms. The API sends a comment every 15 s. */
const SILENCE_MS = 45_000;

/** Statuses after which another attempt would fail as well. */
const FINAL = [401, 403, 404];

/**
 * Follows a stream of server-sent events until `signal` is aborted or the API denies access. A lost stream is opened again after a growing
 * pause, or at once when the browser is online again or the page becomes visible. The API sends the current state first, so that no event
 * is missed.
 */
export async function followEvents(
  { open, onEvent, onConnection }: FollowedEvents,
  signal: AbortSignal,
): Promise<void> {
  let pause = PAUSE.first;
  while (!signal.aborted) {
    const onData = () => {
      if (pause) onConnection?.(true);
      pause = 0;
    };
    const isFinal = await readOnce({ open, onEvent, onData, signal });
    if (signal.aborted || isFinal) return;
    onConnection?.(false);
    pause = pause === 0 ? PAUSE.first : Math.min(pause * 2, PAUSE.longest);
    await waitForTurn(jittered(pause), signal);
  }
}

interface Reading extends Pick<FollowedEvents, 'open' | 'onEvent'> {
  onData(): void;
  signal: AbortSignal;
}

/** Resolves when the stream has ended or failed; true if another attempt would fail as well. */
async function readOnce({ open, onEvent, onData, signal }: Reading): Promise<boolean> {
  const attempt = new AbortController();
  const stop = () => attempt.abort();
  signal.addEventListener('abort', stop, { once: true });
  let silence = setTimeout(stop, SILENCE_MS);
  const onActivity = () => {
    if (signal.aborted) return;
    onData();
    clearTimeout(silence);
    silence = setTimeout(stop, SILENCE_MS);
  };
  try {
    await readEvents(await open(attempt.signal), {
      onEvent(event) {
        onEvent(event);
        return signal.aborted;
      },
      onActivity,
      signal: attempt.signal,
    });
    return false;
  } catch (cause) {
    return FINAL.includes(asFailure(cause).status);
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', stop);
  }
}

/** Varies a pause, so that not all tabs connect at the same time after a restart of the server. */
function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}

/** Resolves after `ms`, or earlier when the browser is online again, the page becomes visible, or `signal` is aborted. */
function waitForTurn(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      document.removeEventListener('visibilitychange', onVisible);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const onVisible = () => {
      if (document.visibilityState === 'visible') end();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    document.addEventListener('visibilitychange', onVisible);
    signal.addEventListener('abort', end, { once: true });
  });
}
