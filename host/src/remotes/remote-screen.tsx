import {
  Component,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ScreenProps } from '../contract.ts';
import type { ScreenId } from '../routes.ts';
import type { LoadedScreen, RemoteLoader } from './remote-loader.ts';
import { asError } from './run-module.ts';
import { createScreenCleanup } from './screen-cleanup.ts';
import { isForeignDomError } from './tolerate-translation.ts';
import { watchBlank } from './watch-blank.ts';

interface Props extends ScreenProps {
  id: ScreenId;
  loader: RemoteLoader;
  placeholder: ReactNode;
  /** Shown when no release of the remote can load the screen; `hasRetried` after a retry has failed, too. */
  failed(retry: () => void, hasRetried: boolean): ReactNode;
  /** Called when the screen or its failure is shown. */
  onSettled?(): void;
}

/** A screen whose nodes other scripts move is mounted again at most this often between inputs: it may be the cause itself. */
const MAX_REMOUNTS = 10;

type State = { shown: LoadedScreen } | { hasFailed: boolean };

/**
 * One screen of a remote; use `key` to switch to another one. Loads in an effect instead of React.lazy, because Suspense delays the first
 * paint by about 300 ms even when everything is preloaded. Memoised, so that changes in the frame do not render the screen.
 */
export const RemoteScreen = memo(function RemoteScreen(props: Props) {
  const { id, loader, placeholder, failed, onSettled, ...screenProps } = props;
  const [attempt, setAttempt] = useState(0);
  const [mount, setMount] = useState(0);
  const [state, setState] = useState<State>(() => start(loader.loaded(id)));

  // Only the latest load counts: an earlier one would bring back a screen that threw.
  const latest = useRef<Promise<LoadedScreen>>(undefined);
  const settle = useCallback((loading: Promise<LoadedScreen>) => {
    latest.current = loading;
    const show = (next: State) => {
      if (latest.current === loading) setState((old) => (isSame(old, next) ? old : next));
    };
    loading.then(
      (shown) => show({ shown }),
      () => show({ hasFailed: true }),
    );
    return () => {
      if (latest.current === loading) latest.current = undefined;
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` starts another load
  useEffect(() => settle(loader.load(id)), [id, loader, attempt, settle]);
  useEffect(
    () =>
      loader.onFallback(id, (shown) => {
        latest.current = undefined;
        setState({ shown });
      }),
    [id, loader],
  );

  const shown = 'shown' in state ? state.shown : undefined;
  useLayoutEffect(() => shown?.enter?.(), [shown]);
  useScreenCleanup(shown);

  // Several effects of one screen may throw.
  const replaced = useRef<LoadedScreen>(undefined);
  const remounts = useInputCounter();
  const replace = useCallback(
    (error: Error) => {
      if (!shown || replaced.current === shown) return;
      if (isForeignDomError(error) && remounts.current++ < MAX_REMOUNTS) {
        setMount((count) => count + 1);
        return;
      }
      replaced.current = shown;
      setState({ hasFailed: false });
      settle(loader.replace(id, error));
    },
    [id, loader, settle, shown, remounts],
  );
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!shown || !frame.current) return;
    return watchBlank(frame.current, () => replace(new Error(`${shown.release} renders nothing`)));
  }, [shown, replace]);

  const isSettled = 'shown' in state || state.hasFailed;
  useEffect(() => {
    if (isSettled) onSettled?.();
  }, [isSettled, onSettled]);

  const retry = useCallback(() => {
    loader.reset(id);
    replaced.current = undefined;
    setState({ hasFailed: false });
    setAttempt((count) => count + 1);
  }, [id, loader]);
  const hasFailed = 'hasFailed' in state && state.hasFailed;
  useEffect(() => {
    if (!hasFailed) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [hasFailed, retry]);

  if (!('shown' in state)) return hasFailed ? failed(retry, attempt > 0) : placeholder;
  const { Screen, release } = state.shown;
  return (
    <div ref={frame} className="screen">
      <ScreenBoundary key={`${release} ${attempt} ${mount}`} onThrow={replace}>
        {/* A suspended screen must not suspend the frame. */}
        <Suspense fallback={placeholder}>
          <Screen {...screenProps} />
        </Suspense>
      </ScreenBoundary>
    </div>
  );
});

/** A counter that every input of the visitor sets to 0. */
function useInputCounter(): RefObject<number> {
  const count = useRef(0);
  useEffect(() => {
    const gone = new AbortController();
    for (const type of ['pointerdown', 'keydown'])
      window.addEventListener(
        type,
        () => {
          count.current = 0;
        },
        { capture: true, signal: gone.signal },
      );
    return () => gone.abort();
  }, []);
  return count;
}

/** Removes what the screen left in two steps, because its own cleanup runs first and the next screen may be mounted in between. */
function useScreenCleanup(shown: LoadedScreen | undefined): void {
  // Runs before the first render of the screen, which may already change the page.
  const cleanup = useMemo(() => shown?.owns && createScreenCleanup(document, shown.owns), [shown]);
  const cleanUp = useRef<() => void>(undefined);
  useLayoutEffect(
    () => () => {
      cleanUp.current = cleanup?.();
    },
    [cleanup],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another screen is shown
  useEffect(() => () => cleanUp.current?.(), [cleanup]);
}

function start(loaded: LoadedScreen | undefined): State {
  return loaded ? { shown: loaded } : { hasFailed: false };
}

function isSame(one: State, other: State): boolean {
  return 'shown' in one && 'shown' in other && one.shown === other.shown;
}

interface BoundaryProps {
  children: ReactNode;
  onThrow(error: Error): void;
}

/** Prevents a screen that throws from unmounting the frame. The caller decides what to show instead. */
class ScreenBoundary extends Component<BoundaryProps, { hasThrown: boolean }> {
  override state = { hasThrown: false };

  static getDerivedStateFromError() {
    return { hasThrown: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onThrow(asError(error));
  }

  override render() {
    return this.state.hasThrown ? null : this.props.children;
  }
}
