/** Aborts when nothing came for as long as was allowed last, and with `outer`. */
export interface Silence {
  readonly signal: AbortSignal;
  /** It was silence that aborted. */
  readonly isOver: boolean;
  /** From now on for `ms`. Called for every piece, so it sets no new timer where the time is the same. */
  allow(ms: number): void;
  end(): void;
}

export function createSilence(firstMs: number, outer: AbortSignal): Silence {
  const controller = new AbortController();
  let isOver = false;
  let allowed = firstMs;
  let timer = start(firstMs);
  const abort = () => controller.abort();
  outer.addEventListener('abort', abort);
  if (outer.aborted) abort();

  function start(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      isOver = true;
      controller.abort();
    }, ms);
  }

  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    allow(ms) {
      if (isOver) return;
      if (ms === allowed) {
        timer.refresh();
        return;
      }
      clearTimeout(timer);
      allowed = ms;
      timer = start(ms);
    },
    end() {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
      controller.abort();
    },
  };
}
