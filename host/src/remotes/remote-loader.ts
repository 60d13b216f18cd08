import { BehaviorSubject } from 'rxjs';
import type { Language, Screen, Texts } from '../contract.ts';
import type { ScreenId } from '../routes.ts';
import type { Composition, Release, RemoteReleases } from './composition.ts';
import type { FallbackMemory } from './fallback-memory.ts';
import type { Federation } from './federation.ts';
import { preloadModule } from './import-module.ts';
import { type LateFailure, openScreen } from './late-chunks.ts';
import type { ReleaseStyles } from './release-styles.ts';
import {
  asError,
  delay,
  evaluate,
  LOAD_TIMEOUT_MS,
  ModuleError,
  RETRY_AFTER_MS,
  screenOf,
  TimeoutError,
  textsOf,
  withTimeout,
} from './run-module.ts';
import type { OwnsStack } from './screen-cleanup.ts';

export interface LoadedScreen {
  Screen: Screen;
  release: string;
  /** Identifies what the screen leaves in the page, which is removed afterwards; undefined for the host's own screens. */
  owns?: OwnsStack;
  /** Called when the screen is mounted. */
  enter?(): void;
}

/** A failure of a release, for monitoring. */
export interface RemoteFailure {
  remote: string;
  /** The exposed module, or the chunk that was imported later. */
  expose: string;
  version: string;
  phase: 'load' | 'render';
  error: Error;
}

/** A release of a remote has loaded its first screen, `ms` after it was requested. */
export interface RemoteLoad {
  remote: string;
  version: string;
  ms: number;
}

/** A screen of this release is shown; `at` in ms since navigation started. */
export interface RemoteShown {
  remote: string;
  version: string;
  at: number;
}

/** A file imported by a remote or the host that could not be loaded from any release in use. */
export interface MissingFile {
  /** 'host' for the host's own files. */
  remote: string;
  version: string;
  file: string;
  /** Requests it again. Rejects if it fails again. */
  retry(): Promise<void>;
}

export type PrefetchingLoader = ReturnType<typeof createRemoteLoader>;

/** The functions that a mounted screen uses. */
export type RemoteLoader = Pick<
  PrefetchingLoader,
  'load' | 'loaded' | 'replace' | 'onFallback' | 'reset' | 'releaseOf'
>;

type FileFailure = Omit<LateFailure, 'entry'>;

/** Chunks of the host whose failure is not reported to visitors, because they are optional or have a fallback of their own. */
const SUBSTITUTED: ReadonlySet<string> = new Set([
  'reports',
  'update-hint',
  'composition',
  'module-info',
  'menus',
  'not-found',
]);

interface Options {
  composition: Composition;
  federation: Federation;
  styles: ReleaseStyles;
  memory?: FallbackMemory;
  language(): Language;
  /** Loads the texts of a screen in that language. */
  loadTexts(texts: Texts<object>): Promise<void>;
  /** Called once per phase for a release that failed finally, not for failures solved by a retry. */
  report(failure: RemoteFailure): void;
  /** Called once per release. */
  onLoad?(load: RemoteLoad): void;
  /** Called for every screen that is shown. */
  onShown?(shown: RemoteShown): void;
  isOnline?(): boolean;
  timeoutMs?: number;
}

/**
 * Loads screens of remotes: first the live release, with one retry after a temporary failure, then the previous release. The tab then uses
 * the previous release for all screens of that remote, because two releases may not understand each other's stored data.
 */
export function createRemoteLoader({
  composition,
  federation,
  styles,
  memory = { read: () => [], write: () => undefined },
  language,
  loadTexts,
  report,
  onLoad,
  onShown,
  isOnline = () => navigator.onLine,
  timeoutMs = LOAD_TIMEOUT_MS,
}: Options) {
  const screens = new Map<ScreenId, LoadedScreen>();
  const pending = new Map<ScreenId, Promise<LoadedScreen>>();
  /** Prefetches in progress; each resolves with the error if it failed. */
  const prefetches = new Map<ScreenId, Promise<unknown>>();
  /** Remotes that already used their previous release before the page was reloaded. */
  const remembered = new Set(memory.read().filter((remote) => composition.remotes[remote]?.previous));
  const pinnedToPrevious = new Set(remembered);
  const fallenBack$ = new BehaviorSubject<readonly string[]>([...pinnedToPrevious]);
  const missing$ = new BehaviorSubject<readonly MissingFile[]>([]);
  const loadedAfter = new WeakMap<Error, Promise<void>>();
  const reported = new Set<string>();
  const shownScreens = new Map<ScreenId, (screen: LoadedScreen) => void>();
  const fallbacks = new Map<ScreenId, Promise<void>>();

  const isFirst = (what: string) => !reported.has(what) && Boolean(reported.add(what));

  const reportOnce = (id: ScreenId, version: string, phase: RemoteFailure['phase'], error: Error) => {
    const { remote, expose } = partsOf(id);
    // Without a network every file fails, whatever the release.
    if (phase === 'load' && !isOnline()) return;
    if (isFirst(`${remote}@${version} ${phase}`)) report({ remote, expose, version, phase, error });
  };

  const releasesOf = (id: ScreenId): RemoteReleases => {
    const { remote } = partsOf(id);
    const releases = composition.remotes[remote];
    if (!releases) throw new Error(`the composition has no remote ${remote}`);
    return releases;
  };

  const attempt = async (id: ScreenId, release: Release): Promise<LoadedScreen> => {
    const { remote, expose } = partsOf(id);
    const live = releasesOf(id);
    const all = live.previous ? [live, live.previous] : [live];
    const name = `${remote}@${release.version}`;
    const abort = new AbortController();
    styles.load(release, all);
    for (const url of release.exposes?.[expose]?.texts?.[language()] ?? []) preloadModule(url);
    try {
      const run = await withTimeout(federation.load(release, expose, abort.signal), timeoutMs);
      const module = await withTimeout(evaluate(run), timeoutMs);
      const Screen = screenOf(module, `${name} ${expose}`);
      await withTimeout(
        openScreen(() => Promise.all(textsOf(module).map((texts) => loadTexts(texts)))),
        timeoutMs,
      );
      return {
        Screen,
        release: name,
        owns: (stack) => stack.includes(folderOf(release)),
        enter() {
          styles.show(release, all);
          onShown?.({ remote, version: release.version, at: performance.now() });
        },
      };
    } finally {
      abort.abort();
    }
  };

  /** Rejects with the first failure, which is the most informative. */
  const tryLive = async (id: ScreenId, wasSlow: boolean): Promise<LoadedScreen> => {
    const live = releasesOf(id);
    if (wasSlow) throw new TimeoutError(timeoutMs);
    try {
      return await attempt(id, live);
    } catch (first) {
      // Retrying is pointless after a timeout or an exception.
      if (first instanceof TimeoutError || first instanceof ModuleError) throw first;
      await delay(RETRY_AFTER_MS);
      return attempt(id, live).catch(() => Promise.reject(first));
    }
  };

  const tryAll = async (id: ScreenId): Promise<LoadedScreen> => {
    const { remote } = partsOf(id);
    const live = releasesOf(id);
    const early = await prefetches.get(id);
    const loadedScreen = screens.get(id);
    if (loadedScreen) return loadedScreen;
    let failure: unknown = new Error(`${remote} has no release before ${live.version}`);
    if (!pinnedToPrevious.has(remote))
      try {
        const screen = await tryLive(id, early instanceof TimeoutError);
        // Another screen of the remote may have switched to the previous release meanwhile.
        if (!pinnedToPrevious.has(remote)) return store(id, screen);
      } catch (error) {
        failure = error;
        reportOnce(id, live.version, 'load', asError(error));
      }
    const { previous } = live;
    if (!previous) throw failure;
    try {
      const screen = await attempt(id, previous);
      pinToPrevious(remote);
      return store(id, screen);
    } catch (error) {
      reportOnce(id, previous.version, 'load', asError(error));
      // The live release has not been tried since the page was loaded.
      if (remembered.has(remote)) {
        reset(remote);
        return tryAll(id);
      }
      throw error;
    }
  };

  const store = (id: ScreenId, screen: LoadedScreen): LoadedScreen => {
    screens.set(id, screen);
    return screen;
  };

  const pinToPrevious = (remote: string) => {
    if (pinnedToPrevious.has(remote)) return;
    pinnedToPrevious.add(remote);
    noteFallbacks();
    clearScreens(remote);
    missing$.next(missing$.value.filter((file) => file.remote !== remote));
  };

  const noteFallbacks = () => {
    memory.write([...pinnedToPrevious]);
    fallenBack$.next([...pinnedToPrevious]);
  };

  const reset = (remote: string) => {
    remembered.delete(remote);
    if (pinnedToPrevious.delete(remote)) noteFallbacks();
    clearScreens(remote);
  };

  const clearScreens = (remote: string) => {
    for (const id of screens.keys()) if (partsOf(id).remote === remote) screens.delete(id);
  };

  const load = (id: ScreenId): Promise<LoadedScreen> => {
    const inProgress = pending.get(id);
    if (inProgress) return inProgress;
    const { remote } = partsOf(id);
    const from = performance.now();
    const loadedScreen = screens.get(id);
    const loading = (loadedScreen ? Promise.resolve(loadedScreen) : tryAll(id))
      .then((screen) => reportLoad(screen, remote, from))
      .finally(() => pending.get(id) === loading && pending.delete(id));
    pending.set(id, loading);
    return loading;
  };

  /** `from` is the time of the request by `performance.now()`. */
  const reportLoad = (screen: LoadedScreen, remote: string, from: number): LoadedScreen => {
    const ms = Math.round(performance.now() - from);
    if (isFirst(`${screen.release} loaded`)) onLoad?.({ remote, version: versionOf(screen, remote), ms });
    return screen;
  };

  /** Replaces the shown live screen by the previous release. The live screen stays while that loads, and if it fails to load. */
  const fallBack = (id: ScreenId): Promise<void> => {
    const { remote } = partsOf(id);
    const { previous } = releasesOf(id);
    if (!previous || pinnedToPrevious.has(remote)) return Promise.resolve();
    const work = fallbacks.get(id) ?? exchange(id, previous).finally(() => fallbacks.delete(id));
    fallbacks.set(id, work);
    return work;
  };

  const exchange = async (id: ScreenId, previous: Release): Promise<void> => {
    const { remote } = partsOf(id);
    const from = performance.now();
    try {
      const screen = await attempt(id, previous);
      pinToPrevious(remote);
      pending.delete(id);
      store(id, screen);
      reportLoad(screen, remote, from);
      shownScreens.get(id)?.(screen);
    } catch (error) {
      reportOnce(id, previous.version, 'load', asError(error));
      // Style sheets added from now on belong to the live release again.
      const live = releasesOf(id);
      styles.load(live, [live, previous]);
    }
  };

  /** Lists a missing file until it has loaded, unless the previous release is shown instead. */
  const noteMissing = (remote: string, version: string, { chunk, error, retry, loaded }: FileFailure) => {
    loadedAfter.set(error, loaded);
    if (remote === 'host' ? SUBSTITUTED.has(chunk) : version !== versionInUse(remote)) return;
    if (missing$.value.some((file) => file.remote === remote && file.file === chunk)) return;
    const file: MissingFile = { remote, version, file: chunk, retry };
    missing$.next([...missing$.value, file]);
    void loaded.then(() => missing$.next(missing$.value.filter((other) => other !== file)));
  };

  const noteFailure = async (remote: string, version: string, failure: FileFailure) => {
    loadedAfter.set(failure.error, failure.loaded);
    if (isOnline()) {
      reportOnce(`${remote}/${failure.chunk}` as ScreenId, version, 'load', failure.error);
      const shown = [...shownScreens.keys()].filter((id) => partsOf(id).remote === remote);
      if (version === composition.remotes[remote]?.version) await Promise.all(shown.map(fallBack));
    }
    noteMissing(remote, version, failure);
  };

  federation.onLateFailure(({ entry, ...failure }) => {
    const { version } = composition.host;
    if (entry === undefined) return void noteFailure('host', version, failure);
    for (const [remote, live] of Object.entries(composition.remotes)) {
      const own = [live, live.previous].filter((release) => release?.entry === entry);
      // Two releases may share files.
      const release = own.find((one) => one?.version === versionInUse(remote)) ?? own[0];
      if (release) return void noteFailure(remote, release.version, failure);
    }
  });

  window.addEventListener('online', () => {
    for (const { retry } of missing$.value) retry().catch(() => undefined);
  });

  const versionInUse = (remote: string): string => {
    const live = composition.remotes[remote];
    return ((pinnedToPrevious.has(remote) && live?.previous) || live)?.version ?? '';
  };

  return {
    /** Loads a screen, or joins a load in progress. Rejects if no release of the remote can load it. */
    load,
    /** Loads a screen in advance. A failure has no effect: a later load tries again. */
    prefetch(id: ScreenId): void {
      if (screens.has(id) || pending.has(id) || prefetches.has(id)) return;
      const { remote } = partsOf(id);
      const loading = (async () => {
        const live = releasesOf(id);
        const release = (pinnedToPrevious.has(remote) && live.previous) || live;
        const screen = await attempt(id, release);
        if (release.version === versionInUse(remote)) store(id, screen);
      })().catch((error: unknown) => error);
      prefetches.set(id, loading);
      void loading.then(() => prefetches.delete(id));
    },
    /** The screen if it is already loaded. */
    loaded: (id: ScreenId): LoadedScreen | undefined => screens.get(id),
    /** Switches this tab to the previous release after the screen threw while rendering. Rejects if there is none. */
    replace(id: ScreenId, error: Error): Promise<LoadedScreen> {
      const { remote } = partsOf(id);
      const live = releasesOf(id);
      const shown = screens.get(id);
      const version = shown ? versionOf(shown, remote) : versionInUse(remote);
      reportOnce(id, version, 'render', error);
      screens.delete(id);
      if (version !== live.version || !live.previous || pinnedToPrevious.has(remote))
        return Promise.reject(error);
      pinToPrevious(remote);
      // A load in progress would bring back the screen that threw.
      pending.delete(id);
      return load(id);
    },
    /** Calls `show` when the previous release replaces the live one because a later file failed. Returns a function that unsubscribes. */
    onFallback(id: ScreenId, show: (screen: LoadedScreen) => void): () => void {
      shownScreens.set(id, show);
      return () => {
        if (shownScreens.get(id) === show) shownScreens.delete(id);
      };
    },
    /** Clears failures, so that the next load tries the live release again. */
    reset: (id: ScreenId): void => reset(partsOf(id).remote),
    /** The release named by the composition: 'mfe-chat@1.4.0'. */
    releaseOf(id: ScreenId): string {
      const { remote } = partsOf(id);
      return `${remote}@${composition.remotes[remote]?.version ?? '?'}`;
    },
    versionInUse,
    /** Remotes whose previous release this tab uses. */
    fallenBack$,
    /** Called for a file that failed to load according to the remote itself. */
    noteLateFailure(remote: string, file: string, error: Error): void {
      // The remote's bundler loads the file: the only possible retry is that the remote imports it again.
      const { promise: loaded, resolve } = Promise.withResolvers<void>();
      const retry = async () => resolve();
      void noteFailure(remote, versionInUse(remote), { chunk: file, error, retry, loaded });
    },
    /** Files that are currently missing. */
    missing$,
    /** Resolves when the file whose import rejected with `error` should be imported again; undefined for any other error. */
    whenLoaded: (error: unknown): Promise<void> | undefined =>
      error instanceof Error ? loadedAfter.get(error) : undefined,
  };
}

function partsOf(id: ScreenId): { remote: string; expose: string } {
  const slash = id.indexOf('/');
  return { remote: id.slice(0, slash), expose: id.slice(slash + 1) };
}

/** The folder of a release's scripts, or its origin if that is not the host's: external teams may use several folders. */
function folderOf({ entry, standard }: Release): string {
  const url = new URL(standard?.base ?? entry, document.baseURI);
  return url.origin === location.origin ? new URL('.', url).href : `${url.origin}/`;
}

function versionOf({ release }: LoadedScreen, remote: string): string {
  return release.slice(remote.length + 1);
}
