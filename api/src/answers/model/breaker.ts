import type { ModelPatience } from './model-settings.ts';

/** One question that was let through. Says once how it went; what comes after that is ignored. */
export interface Trial {
  succeeded(): void;
  /** @param pauseMs the endpoint asked not to be asked for so long. */
  failed(pauseMs?: number | null): void;
  /** It says nothing about the model: stopped by its reader, or the question's own fault. */
  dropped(): void;
}

/** Keeps questions away from a model that keeps failing. Each process has its own. */
export interface Breaker {
  /** False while questions are kept away. */
  readonly isAvailable: boolean;
  /** null: not to be asked now. */
  enter(): Trial | null;
}

/** A `Retry-After` that asks for more is taken for a mistake, in ms. */
const mostPauseMs = 3_600_000;

/**
 * Opens after so many failures in a row; when its time is over it lets one question through, and closes when that one succeeds, or
 * opens for twice as long.
 */
export function createBreaker(
  { failuresToOpen, openMs, mostOpenMs }: Pick<ModelPatience, 'failuresToOpen' | 'openMs' | 'mostOpenMs'>,
  now: () => number = () => performance.now(),
): Breaker {
  let failures = 0;
  /** null: closed. */
  let openUntil: number | null = null;
  let openFor = openMs;
  let isProbing = false;

  function open(): void {
    openUntil = now() + openFor;
    openFor = Math.min(openFor * 2, mostOpenMs);
  }

  function pause(ms: number): void {
    openUntil = Math.max(openUntil ?? 0, now() + Math.min(ms, mostPauseMs));
  }

  function trial(isProbe: boolean): Trial {
    let isTold = false;
    const once =
      <T extends unknown[]>(tell: (...told: T) => void) =>
      (...told: T) => {
        if (isTold) return;
        isTold = true;
        if (isProbe) isProbing = false;
        tell(...told);
      };
    return {
      succeeded: once(() => {
        // One that began before it opened says nothing of how the model is now.
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
    get isAvailable() {
      return openUntil === null || (!isProbing && now() >= openUntil);
    },
    enter() {
      if (openUntil === null) return trial(false);
      if (isProbing || now() < openUntil) return null;
      isProbing = true;
      return trial(true);
    },
  };
}
