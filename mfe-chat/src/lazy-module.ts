import { useEffect, useState } from 'react';

/** A part of the screen that is fetched after the textarea stands. */
export interface LazyModule<T> {
  /** Fetches it once; a failed fetch is tried again by the next call. */
  load(): Promise<T>;
  /** The module, or undefined until it is there. Rendering asks for it. */
  useModule(): T | undefined;
  /** What has been fetched by now. Rendering asks for nothing: whoever needs it awaits `load` first. */
  loaded(): T | undefined;
}

/**
 * Unlike `React.lazy` this never suspends or throws: the caller shows something simpler meanwhile, for as long as it takes.
 */
export function createLazyModule<T>(fetchModule: () => Promise<T>): LazyModule<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  const load = () => {
    loading ??= fetchModule().then(
      (module) => {
        loaded = module;
        return module;
      },
      (reason) => {
        loading = undefined;
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
        load().then(
          (value) => isHere && setModule(() => value),
          () => undefined, // the simpler view stays; the next mount tries again
        );
        return () => {
          isHere = false;
        };
      }, [module]);
      return module;
    },
  };
}
