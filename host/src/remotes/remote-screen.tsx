import { ErrorBoundary } from 'host/ui/error-boundary.tsx';
import {
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

/**
 * One screen of a remote; use `key` to switch to another one. Loads in an effect instead of React.lazy, because Suspense delays the first
 * paint by about 300 ms even when everything is preloaded. Memoised, so that changes in the frame do not render the screen.
 */
export const RemoteScreen = memo(function RemoteScreen(props: Props) {
  const { id, loader, placeholder, failed, onSettled, ...screenProps } = props;
  const [attempt, setAttempt] = useState(0);
  const [mount, setMount] = useState(0);
  const [shown, setShown] = useState(() => loader.loaded(id));
  const [hasFailed, setFailed] = useState(false);
  /** Without a screen, shows the placeholder or the failure. */
  const show = useCallback((screen?: LoadedScreen, failed = false) => {
    setShown(screen);
    setFailed(failed);
  }, []);

  // Only the latest load counts: an earlier one would bring back a screen that threw.
  const latest = useRef<Promise<LoadedScreen>>(undefined);
  const settle = useCallback(
    (loading: Promise<LoadedScreen>) => {
      latest.current = loading;
      const isLatest = () => latest.current === loading;
      loading.then(
        (screen) => isLatest() && show(screen),
        () => isLatest() && show(undefined, true),
      );
      return () => {
        if (isLatest()) latest.current = undefined;
      };
    },
    [show],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` starts another load
  useEffect(() => settle(loader.load(id)), [id, loader, attempt, settle]);
  useEffect(
    () =>
      loader.onFallback(id, (screen) => {
        latest.current = undefined;
        show(screen);
      }),
    [id, loader, show],
  );

  useLayoutEffect(() => shown?.enter?.(), [shown]);
  useScreenCleanup(shown);

  // Several effects of one screen may throw.
  const replaced = useRef<LoadedScreen>(undefined);
  const remounts = useInputCounter();
  const replace = useCallback(
    (thrown: unknown) => {
      const error = asError(thrown);
      if (!shown || replaced.current === shown) return;
      if (isForeignDomError(error) && remounts.current++ < MAX_REMOUNTS) {
        setMount((count) => count + 1);
        return;
      }
      replaced.current = shown;
      show();
      settle(loader.replace(id, error));
    },
    [id, loader, show, settle, shown, remounts],
  );
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!shown || !frame.current) return;
    return watchBlank(frame.current, () => replace(new Error(`${shown.release} renders nothing`)));
  }, [shown, replace]);

  const isSettled = shown !== undefined || hasFailed;
  useEffect(() => {
    if (isSettled) onSettled?.();
  }, [isSettled, onSettled]);

  const retry = useCallback(() => {
    loader.reset(id);
    replaced.current = undefined;
    show();
    setAttempt((count) => count + 1);
  }, [id, loader, show]);
  useEffect(() => {
    if (!hasFailed) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [hasFailed, retry]);

  if (!shown) return hasFailed ? failed(retry, attempt > 0) : placeholder;
  const { Screen, release } = shown;
  return (
    <div ref={frame} className="screen">
      <ErrorBoundary key={`${release} ${attempt} ${mount}`} onThrow={replace}>
        {/* A suspended screen must not suspend the frame. */}
        <Suspense fallback={placeholder}>
          <Screen {...screenProps} />
        </Suspense>
      </ErrorBoundary>
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
