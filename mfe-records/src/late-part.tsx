import type { HostServices } from 'host/contract';
import { Component, createContext, type ReactNode, useContext, useEffect, useState } from 'react';

/** The report function for the parts of a screen. */
export const ErrorReport = createContext<HostServices['report']>(() => undefined);

/** A part of a screen that is loaded when first rendered, see `useLatePart`. */
export interface LatePart<T> {
  load(): Promise<T>;
  /** Undefined until it is loaded. */
  loaded(): T | undefined;
}

export function createLatePart<T>(fetchPart: () => Promise<T>): LatePart<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  return {
    loaded: () => loaded,
    load() {
      loading ??= fetchPart().then(
        (part) => {
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

/**
 * Loads the part without suspending or throwing. A part that fails to load or run is reported and `isBroken` until a retry of the host or
 * the next mount succeeds.
 */
export function useLatePart<T>(late: LatePart<T>): { part?: T; isBroken: boolean } {
  const report = useContext(ErrorReport);
  const [state, setState] = useState<{ part?: T; isBroken: boolean }>(() => {
    const part = late.loaded();
    return part === undefined ? { isBroken: false } : { part, isBroken: false };
  });
  const isHere = state.part !== undefined;
  useEffect(() => {
    if (isHere) return;
    let isWanted = true;
    const attempt = (): Promise<void> =>
      late.load().then(
        (part) => {
          if (isWanted) setState({ part, isBroken: false });
        },
        (error: unknown) => {
          if (!isWanted) return;
          setState({ isBroken: true });
          void report(error)?.then(() => (isWanted ? attempt() : undefined));
        },
      );
    void attempt();
    return () => {
      isWanted = false;
    };
  }, [late, isHere, report]);
  return state;
}

interface BoundaryProps {
  /** Shown after the part has thrown. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Error boundary for an optional part of the screen: reports the error, and the rest of the screen stays. */
export class PartBoundary extends Component<BoundaryProps, { hasThrown: boolean }> {
  static override contextType = ErrorReport;
  declare context: React.ContextType<typeof ErrorReport>;
  override state = { hasThrown: false };

  static getDerivedStateFromError() {
    return { hasThrown: true };
  }

  override componentDidCatch(error: unknown) {
    void this.context(error);
  }

  override render() {
    return this.state.hasThrown ? this.props.fallback : this.props.children;
  }
}
