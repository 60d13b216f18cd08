import type { ModelPatience } from './patience.ts';

/** A permitted request. Only the first call of one of its functions counts. */
export interface Trial {
  succeeded(): void;
  /** @param pauseMs pause requested by the endpoint. */
  failed(pauseMs?: number | null): void;
  /** The request says nothing about the model: the reader stopped it, or the question caused its failure. */
  dropped(): void;
}

/** Maximum pause after `Retry-After`, in ms. */
const maxPauseMs = 3_600_000;

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * A circuit breaker for a failing model. Each process has its own. After `failuresToOpen` failures in a row
 * it opens for `openMs`, then it permits one request: it closes if that succeeds, else it opens for twice as
 * long.
 */
export function createBreaker(
  { failuresToOpen, openMs, maxOpenMs }: Pick<ModelPatience, 'failuresToOpen' | 'openMs' | 'maxOpenMs'>,
  now: () => number = () => performance.now(),
) {
  let failures = 0;
  /** null: closed. */
  let openUntil: number | null = null;
  let openFor = openMs;
  let isProbing = false;

  function open(): void {
    openUntil = now() + openFor;
    openFor = Math.min(openFor * 2, maxOpenMs);
  }

  function pause(ms: number): void {
    openUntil = Math.max(openUntil ?? 0, now() + Math.min(ms, maxPauseMs));
  }

  function trial(isProbe: boolean): Trial {
    let isReported = false;
    const once =
      <T extends unknown[]>(report: (...args: T) => void) =>
      (...args: T) => {
        if (isReported) return;
        isReported = true;
        if (isProbe) isProbing = false;
        report(...args);
      };
    return {
      succeeded: once(() => {
        // Requests that began before it opened do not close it.
        if (openUntil !== null && !isProbe) return;
        failures = 0;
        openUntil = null;
        openFor = openMs;
      }),
      failed: once((pauseMs: number | null = null) => {
        failures += 1;
        if (isProbe || (openUntil === null && failures >= failuresToOpen)) open();
        if (pauseMs !== null) pause(pauseMs);
      }),
      dropped: once(() => undefined),
    };
  }

  return {
    /** false while it is open. */
    get isAvailable() {
      return openUntil === null || (!isProbing && now() >= openUntil);
    },
    /** null while it is open. */
    enter(): Trial | null {
      if (openUntil === null) return trial(false);
      if (isProbing || now() < openUntil) return null;
      isProbing = true;
      return trial(true);
    },
  };
}
