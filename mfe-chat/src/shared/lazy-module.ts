import type { HostServices } from 'host/contract';
import { useEffect, useState } from 'react';

/** A part of the screen that is loaded after the textarea is rendered. */
export interface LazyModule<T> {
  /** Loads the module once; after a failure the next call tries again. */
  load(): Promise<T>;
  /** The module, or undefined until it is loaded. Rendering starts loading it. */
  useModule(): T | undefined;
  /**
   * Like `useModule`, for parts the screen cannot work without. If the host offers no retry, a failed module is loaded once more (when
   * offline, after the connection is back). After that rendering throws, so that the host can show the previous release.
   */
  useNeeded(): T | undefined;
  /** The module if it is loaded, without starting to load it. Callers await `load` first. */
  loaded(): T | undefined;
}

const RETRY_AFTER_MS = 1000;

type Report = HostServices['report'];

let report: Report = () => undefined;

/** Sets the function that receives load failures, which most parts of the screen hide by a simpler view. */
export function reportLoadFailures(to: Report): void {
  report = to;
}

/** Unlike `React.lazy` this never suspends or throws: the caller renders something simpler until the module is loaded. */
export function createLazyModule<T>(fetchModule: () => Promise<T>): LazyModule<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  /** Resolves when loading should be retried. */
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
      // biome-ignore lint/correctness/useExhaustiveDependencies: load never changes
      useEffect(() => {
        if (module) return;
        let isHere = true;
        const attempt = () =>
          load().then(
            (value) => isHere && setModule(() => value),
            // The simpler view stays until a retry or the next mount.
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
      // biome-ignore lint/correctness/useExhaustiveDependencies: load never changes
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

/** Resolves when a retry makes sense: after a short time, or when the browser is online again. Never after `gone` is aborted. */
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
