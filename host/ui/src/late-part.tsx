import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { TextLoader, Texts } from './texts.ts';

/** What the parts of a screen need of its `services`. */
export interface PartServices {
  /** Resolves when a failed file should be loaded again; undefined for any other error. */
  report(error: unknown): Promise<void> | undefined;
  /** Loads their texts; unused if they have none. */
  i18n?: TextLoader;
}

export const PartServices = createContext<PartServices>({ report: () => undefined });

/** A part of a screen that is loaded when it is first needed. */
export interface LatePart<T> {
  /** Loads it once, with its texts; after a failure the next call tries again. */
  load(i18n?: TextLoader): Promise<T>;
  /** Undefined until it is loaded. */
  loaded(): T | undefined;
}

/** `texts` are loaded together with the part. */
export function createLatePart<T>(fetchPart: () => Promise<T>, texts?: Texts<object>): LatePart<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  return {
    loaded: () => loaded,
    load(i18n) {
      loading ??= Promise.all([fetchPart(), texts && i18n?.load(texts)]).then(
        ([part]) => {
          loaded = part;
          return part;
        },
        (error) => {
          loading = undefined;
          throw error;
        },
      );
      return loading;
    },
  };
}

interface LateState<T> {
  /** Undefined until it is loaded. */
  part?: T;
  /** Why it could not be loaded. `isFinal`: it is not loaded again. */
  failure?: { error: unknown; isFinal: boolean };
}

/** Delay before the second attempt where the host offers no retry, in ms. */
const RETRY_AFTER_MS = 1000;

/**
 * Loads the part. Unlike `React.lazy` this never suspends or throws; the component renders something simpler meanwhile. A failure is
 * reported. The part is loaded again when the visitor retries in the host's notice of missing files. A host without that notice tries once
 * more, after a second or as soon as the browser is online again.
 */
export function useLatePart<T>(late: LatePart<T>): LateState<T> {
  const { report, i18n } = useContext(PartServices);
  const [{ of, failure }, setState] = useState<Pick<LateState<T>, 'failure'> & { of: LatePart<T> }>({
    of: late,
  });
  const part = late.loaded();
  const isLoaded = part !== undefined;
  useEffect(() => {
    if (isLoaded) return;
    const gone = new AbortController();
    const attempt = async (isSecond: boolean): Promise<void> => {
      try {
        await late.load(i18n);
        if (!gone.signal.aborted) setState({ of: late });
      } catch (error) {
        if (gone.signal.aborted) return;
        const retry = report(error);
        const isFinal = !retry && isSecond;
        setState({ of: late, failure: { error, isFinal } });
        if (isFinal) return;
        await (retry ?? secondChance(gone.signal));
        if (!gone.signal.aborted) await attempt(!retry);
      }
    };
    void attempt(false);
    return () => gone.abort();
  }, [late, isLoaded, report, i18n]);
  if (isLoaded) return { part };
  return of === late && failure ? { failure } : {};
}

/** Resolves after `RETRY_AFTER_MS` or when the browser is online again, but not after `gone` is aborted. */
function secondChance(gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!navigator.onLine) {
      window.addEventListener('online', () => resolve(), { once: true, signal: gone });
      return;
    }
    const timer = setTimeout(resolve, RETRY_AFTER_MS);
    gone.addEventListener('abort', () => clearTimeout(timer));
  });
}

interface LateProps<T> {
  part: LatePart<T>;
  children(part: T): ReactNode;
  /** Shown until it is loaded. */
  loading?: ReactNode;
  /** Shown if it cannot be loaded, until a retry succeeds. */
  failed?: ReactNode;
  /** Called when it cannot be loaded, for example to close a dialog. */
  onFailed?(): void;
}

/** Renders a part once it is loaded. */
export function Late<T>({ part: late, children, loading, failed, onFailed }: LateProps<T>) {
  const { part, failure } = useLatePart(late);
  const handleFailure = useRef(onFailed);
  handleFailure.current = onFailed;
  const hasFailed = failure !== undefined;
  useEffect(() => {
    if (hasFailed) handleFailure.current?.();
  }, [hasFailed]);
  if (part !== undefined) return children(part);
  return hasFailed ? failed : loading;
}
