import type { Screen } from '../contract.ts';
import type { ScreenId } from '../routes.ts';
import type { Composition, Release, RemoteReleases } from './composition.ts';
import type { Federation } from './federation.ts';
import type { ReleaseStyles } from './release-styles.ts';
import { asError, evaluated, OverBudget, screenIn, Thrown, withinBudget } from './run-module.ts';

/** A remote has this long to come before the next candidate is tried. */
export const BUDGET_MS = 5000;
const RETRY_AFTER_MS = 300;

export interface LoadedScreen {
  Screen: Screen;
  release: string;
  /** Called when it stands in the page. */
  enter?(): void;
}

/** What went wrong with one release, for whoever watches over the desk. */
export interface RemoteFailure {
  remote: string;
  expose: string;
  version: string;
  phase: 'load' | 'render';
  error: Error;
}

/** A release of a remote gave its first screen, `ms` after that was asked for. */
export interface RemoteArrival {
  remote: string;
  version: string;
  ms: number;
}

/** A screen of this release stands in the page now; `at` in ms since the page's start. */
export interface RemoteShown {
  remote: string;
  version: string;
  at: number;
}

export interface RemoteLoader {
  /** Joins a load of the same screen in flight. Rejects when no release of the remote gives it. */
  load(id: ScreenId): Promise<LoadedScreen>;
  /** The screen if it is here already. */
  loaded(id: ScreenId): LoadedScreen | undefined;
  /** The screen threw at render: from now on this tab uses the previous release. Rejects where there is none. */
  replace(id: ScreenId, error: Error): Promise<LoadedScreen>;
  /** Forgets what failed, so that the next load tries the live release again. */
  forgive(id: ScreenId): void;
  /** 'mfe-chat@1.4.0', the release that the composition names. */
  releaseOf(id: ScreenId): string;
}

export interface PrefetchingLoader extends RemoteLoader {
  /** Loads a screen ahead of a visit. Failing, it decides nothing: whoever then needs the screen tries again. */
  prefetch(id: ScreenId): void;
}

interface Options {
  composition: Composition;
  federation: Federation;
  styles: ReleaseStyles;
  /** Hears of a release that was given up, once for each phase. A failure that passed is none. */
  report(failure: RemoteFailure): void;
  /** Hears of each release once. */
  onArrival?(arrival: RemoteArrival): void;
  /** Hears of every screen that is put in the page. */
  onShown?(shown: RemoteShown): void;
  budgetMs?: number;
}

/**
 * Loads screens of remotes: the live release, once more after a failure that may pass, then the previous release, with which the
 * tab then stays for every screen of that remote: two releases of one remote may not understand what the other keeps. A retry keeps
 * the address, as the page's integrity map knows no other.
 */
export function createRemoteLoader({
  composition,
  federation,
  styles,
  report,
  onArrival,
  onShown,
  budgetMs = BUDGET_MS,
}: Options): PrefetchingLoader {
  const screens = new Map<ScreenId, LoadedScreen>();
  const flights = new Map<ScreenId, Promise<LoadedScreen>>();
  /** Resolves with why a screen did not come ahead. */
  const ahead = new Map<ScreenId, Promise<unknown>>();
  /** Remotes whose previous release this tab uses. */
  const demoted = new Set<string>();
  /** Which address the runtime knows a remote by. Absent after a failure, so that the next attempt registers anew. */
  const registered = new Map<string, string>();
  /** The runtime knows one release of a remote at a time, so its screens take turns. */
  const turns = new Map<string, Promise<unknown>>();
  const told = new Set<string>();

  const isNews = (what: string) => !told.has(what) && Boolean(told.add(what));

  const tell = (
    id: ScreenId,
    { version }: Pick<Release, 'version'>,
    phase: 'load' | 'render',
    error: Error,
  ) => {
    const { remote, expose } = partsOf(id);
    if (isNews(`${remote}@${version} ${phase}`)) report({ remote, expose, version, phase, error });
  };

  const inTurn = <T>(remote: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(remote) ?? Promise.resolve()).then(work);
    turns.set(
      remote,
      turn.catch(() => undefined),
    );
    return turn;
  };

  const releasesOf = (id: ScreenId): RemoteReleases => {
    const { remote } = partsOf(id);
    const releases = composition.remotes[remote];
    if (!releases) throw new Error(`the composition names no remote ${remote}`);
    return releases;
  };

  const attempt = async (id: ScreenId, release: Release): Promise<LoadedScreen> => {
    const { remote, expose } = partsOf(id);
    const { previous, entry: live } = releasesOf(id);
    if (registered.get(remote) !== release.entry) federation.register(remote, release.entry);
    registered.set(remote, release.entry);
    const name = `${remote}@${release.version}`;
    try {
      const run = await withinBudget(federation.load(remote, expose), budgetMs);
      const screen: LoadedScreen = {
        Screen: screenIn(await withinBudget(evaluated(run), budgetMs), `${name} ${expose}`),
        release: name,
        enter() {
          styles.show(release.entry, previous ? [live, previous.entry] : [live]);
          onShown?.({ remote, version: release.version, at: performance.now() });
        },
      };
      screens.set(id, screen);
      return screen;
    } catch (error) {
      registered.delete(remote);
      throw error;
    }
  };

  /** Rejects with the first failure, as it tells the most. */
  const tryLive = async (id: ScreenId, wasSlow: boolean): Promise<LoadedScreen> => {
    const live = releasesOf(id);
    if (wasSlow) throw new OverBudget(budgetMs);
    try {
      return await attempt(id, live);
    } catch (first) {
      // Who did not come within the budget would not within another, and code that threw would throw again.
      if (first instanceof OverBudget || first instanceof Thrown) throw first;
      await delay(RETRY_AFTER_MS);
      return attempt(id, live).catch(() => Promise.reject(first));
    }
  };

  const tryAll = async (id: ScreenId): Promise<LoadedScreen> => {
    const here = screens.get(id);
    if (here) return here;
    const { remote } = partsOf(id);
    const live = releasesOf(id);
    let failure: unknown = new Error(`${remote} has no release before ${live.version}`);
    if (!demoted.has(remote))
      try {
        return await tryLive(id, (await ahead.get(id)) instanceof OverBudget);
      } catch (error) {
        failure = error;
        tell(id, live, 'load', asError(error));
      }
    const { previous } = live;
    if (!previous) throw failure;
    try {
      const screen = await attempt(id, previous);
      demote(remote);
      screens.set(id, screen);
      return screen;
    } catch (error) {
      tell(id, previous, 'load', asError(error));
      throw error;
    }
  };

  const demote = (remote: string) => {
    demoted.add(remote);
    forget(remote);
  };

  const forget = (remote: string) => {
    for (const id of screens.keys()) if (partsOf(id).remote === remote) screens.delete(id);
  };

  const load = (id: ScreenId): Promise<LoadedScreen> => {
    const joined = flights.get(id);
    if (joined) return joined;
    const { remote } = partsOf(id);
    const from = performance.now();
    const here = screens.get(id);
    const flight = (here ? Promise.resolve(here) : inTurn(remote, () => tryAll(id)))
      .then((screen) => {
        const ms = Math.round(performance.now() - from);
        if (isNews(`${screen.release} came`)) onArrival?.({ remote, version: versionOf(screen, remote), ms });
        return screen;
      })
      .finally(() => flights.get(id) === flight && flights.delete(id));
    flights.set(id, flight);
    return flight;
  };

  return {
    load,
    prefetch(id) {
      if (screens.has(id) || flights.has(id) || ahead.has(id)) return;
      const { remote } = partsOf(id);
      const coming = inTurn(remote, async () => {
        const live = releasesOf(id);
        await attempt(id, (demoted.has(remote) && live.previous) || live);
      }).catch((error: unknown) => error);
      ahead.set(id, coming);
      void coming.then(() => ahead.delete(id));
    },
    loaded: (id) => screens.get(id),
    replace(id, error) {
      const { remote } = partsOf(id);
      const live = releasesOf(id);
      const shown = screens.get(id);
      const version = shown ? versionOf(shown, remote) : live.version;
      tell(id, { version }, 'render', error);
      screens.delete(id);
      if (version !== live.version || !live.previous || demoted.has(remote)) return Promise.reject(error);
      demote(remote);
      // What still is under way brings the screen that threw.
      flights.delete(id);
      return load(id);
    },
    forgive(id) {
      const { remote } = partsOf(id);
      demoted.delete(remote);
      forget(remote);
    },
    releaseOf: (id) => {
      const { remote } = partsOf(id);
      return `${remote}@${composition.remotes[remote]?.version ?? '?'}`;
    },
  };
}

function partsOf(id: ScreenId): { remote: string; expose: string } {
  const slash = id.indexOf('/');
  return { remote: id.slice(0, slash), expose: id.slice(slash + 1) };
}

function versionOf({ release }: LoadedScreen, remote: string): string {
  return release.slice(remote.length + 1);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
