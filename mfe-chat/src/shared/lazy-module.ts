import type { HostServices } from 'host/contract';
import { useEffect, useState } from 'react';

/** A part of the screen that is fetched after the textarea stands. */
export interface LazyModule<T> {
  /** Fetches it once; a failed fetch is tried again by the next call. */
  load(): Promise<T>;
  /** The module, or undefined until it is there. Rendering asks for it. */
  useModule(): T | undefined;
  /**
   * The same of what the screen cannot do without. Where the host offers no retry, what does not come is asked for once more, behind a
   * lost connection as soon as that is back; then rendering throws, so that the host can show the release before.
   */
  useNeeded(): T | undefined;
  /** What has been fetched by now. Rendering asks for nothing: whoever needs it awaits `load` first. */
  loaded(): T | undefined;
}

const RETRY_AFTER_MS = 1000;

type Report = HostServices['report'];

let report: Report = () => undefined;

/** Modules that cannot be loaded are reported there, as the screen does without most of them. */
export function reportLoadFailures(to: Report): void {
  report = to;
}

/**
 * Unlike `React.lazy` this never suspends or throws: the caller shows something simpler meanwhile, for as long as it takes.
 */
export function createLazyModule<T>(fetchModule: () => Promise<T>): LazyModule<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  /** Resolves when it is time to try again. */
  let retried: ReturnType<Report>;
  const load = () => {
    loading ??= fetchModule().then(
      (module) => {
        loaded = module;
        return module;
      },
      (reason) => {
        loading = undefined;
        retried = report(reason);
        throw reason;
      },
    );
    return loading;
  };
  return {
    load,
    loaded: () => loaded,
    useModule() {
      const [module, setModule] = useState(loaded);
      // biome-ignore lint/correctness/useExhaustiveDependencies: load is of the module, not of the component
      useEffect(() => {
        if (module) return;
        let isHere = true;
        const attempt = () =>
          load().then(
            (value) => isHere && setModule(() => value),
            // The simpler view stays until a retry, or the next mount.
            () => void retried?.then(() => isHere && attempt()),
          );
        void attempt();
        return () => {
          isHere = false;
        };
      }, [module]);
      return module;
    },
    useNeeded() {
      const [state, setState] = useState<{ module?: T; error?: unknown }>(loaded ? { module: loaded } : {});
      // biome-ignore lint/correctness/useExhaustiveDependencies: load is of the module, not of the component
      useEffect(() => {
        if (state.module) return;
        const gone = new AbortController();
        const tell = (next: typeof state) => gone.signal.aborted || setState(next);
        const attempt = (): Promise<T> =>
          load().catch(async () => {
            if (!retried) {
              await anotherChance(gone.signal);
              return load();
            }
            await retried;
            return attempt();
          });
        attempt().then(
          (module) => tell({ module }),
          (error: unknown) => tell({ error }),
        );
        return () => gone.abort();
      }, [state.module]);
      if (state.error !== undefined) throw state.error;
      return state.module;
    },
  };
}

/** Resolves when trying again may help: in a moment, or when the browser is online again. Never, once `gone` is aborted. */
function anotherChance(gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!navigator.onLine) {
      window.addEventListener('online', () => resolve(), { once: true, signal: gone });
      return;
    }
    const timer = setTimeout(resolve, RETRY_AFTER_MS);
    gone.addEventListener('abort', () => clearTimeout(timer));
  });
}
