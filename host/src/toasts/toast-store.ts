import { BehaviorSubject } from 'rxjs';
import type { Toast } from '../contract.ts';

/** Duration of a toast in ms, as required by the specification. */
const DURATION_MS = 3000;
/** Duration of a toast with an action in ms: time to read, decide and reach the button. */
const DURATION_WITH_ACTION_MS = 10_000;
/** Minimum remaining time after the pointer leaves a toast, in ms. */
const GRACE_MS = 1000;

export interface ShownToast extends Toast {
  id: number;
}

export type ToastStore = ReturnType<typeof createToastStore>;

interface Clock {
  timer: ReturnType<typeof setTimeout> | undefined;
  startedAt: number;
  leftMs: number;
}

/** The toasts of the page, several at a time, each with its own timer. */
export function createToastStore() {
  /** The visible toasts, oldest first. */
  const shown$ = new BehaviorSubject<readonly ShownToast[]>([]);
  const clocks = new Map<number, Clock>();
  let lastId = 0;

  const dismiss = (id: number) => {
    clearTimeout(clocks.get(id)?.timer);
    if (clocks.delete(id)) shown$.next(shown$.value.filter((toast) => toast.id !== id));
  };
  const run = (id: number, leftMs: number) =>
    clocks.set(id, { timer: setTimeout(() => dismiss(id), leftMs), startedAt: Date.now(), leftMs });

  return {
    shown$,
    dismiss,
    show(toast: Toast) {
      const id = ++lastId;
      run(id, toast.action ? DURATION_WITH_ACTION_MS : DURATION_MS);
      shown$.next([...shown$.value, { ...toast, id }]);
      return () => dismiss(id);
    },
    /** Pauses the timer of a toast while it is hovered or focused. */
    hold(id: number): void {
      const clock = clocks.get(id);
      if (!clock?.timer) return;
      clearTimeout(clock.timer);
      const leftMs = clock.leftMs - (Date.now() - clock.startedAt);
      clocks.set(id, { ...clock, timer: undefined, leftMs });
    },
    release(id: number): void {
      const clock = clocks.get(id);
      if (clock && !clock.timer) run(id, Math.max(clock.leftMs, GRACE_MS));
    },
  };
}
