import type { Screen } from '../contract.ts';
import type { ScreenId } from '../routes.ts';
import type { Composition, Release } from './composition.ts';
import type { Federation } from './federation.ts';

/** A remote has this long to come before the next candidate is tried. */
export const BUDGET_MS = 5000;
const RETRY_AFTER_MS = 300;

export interface LoadedScreen {
  Screen: Screen;
  release: string;
}

/** What went wrong with one release, for whoever watches over the desk. */
export interface RemoteFailure {
  remote: string;
  expose: string;
  version: string;
  phase: 'load' | 'render';
  error: Error;
}

export interface RemoteLoader {
  /** Joins a load of the same screen in flight. Rejects when no release of the remote gives it. */
  load(id: ScreenId): Promise<LoadedScreen>;
  /** The screen if it is here already. */
  loaded(id: ScreenId): LoadedScreen | undefined;
  /** The screen threw at render: from now on this tab uses the previous release. Rejects where there is none. */
  replace(id: ScreenId, error: Error): Promise<LoadedScreen>;
  /** Forgets what failed at render, so that the next load tries the live release again. */
  forgive(id: ScreenId): void;
  /** 'mfe-chat@1.4.0', the release that the composition names. */
  releaseOf(id: ScreenId): string;
}

interface Options {
  composition: Composition;
  federation: Federation;
  report(failure: RemoteFailure): void;
  budgetMs?: number;
}

/**
 * Loads screens of remotes: the live release, once more after a passing failure, then the previous release. A retry keeps the
 * address, as the page's integrity map knows no other.
 */
export function createRemoteLoader({
  composition,
  federation,
  report,
  budgetMs = BUDGET_MS,
}: Options): RemoteLoader {
  const screens = new Map<ScreenId, LoadedScreen>();
  const flights = new Map<ScreenId, Promise<LoadedScreen>>();
  /** Screens whose live release threw at render. */
  const broken = new Set<ScreenId>();
  /** Which address the runtime knows a remote by. Absent after a failure, so that the next attempt registers anew. */
  const registered = new Map<string, string>();
  /** The runtime knows one release of a remote at a time, so its screens take turns. */
  const turns = new Map<string, Promise<unknown>>();

  const attempt = async (id: ScreenId, release: Release): Promise<LoadedScreen> => {
    const { remote, expose } = partsOf(id);
    if (registered.get(remote) !== release.entry) federation.register(remote, release.entry);
    registered.set(remote, release.entry);
    try {
      const loaded = await withinBudget(federation.load(remote, expose), budgetMs);
      return {
        Screen: screenIn(loaded, `${remote}@${release.version} ${expose}`),
        release: `${remote}@${release.version}`,
      };
    } catch (error) {
      registered.delete(remote);
      throw error;
    }
  };

  const tryAll = async (id: ScreenId): Promise<LoadedScreen> => {
    const { remote, expose } = partsOf(id);
    const releases = composition.remotes[remote];
    if (!releases) throw new Error(`the composition names no remote ${remote}`);
    const { previous } = releases;
    const candidates: Release[] = broken.has(id) ? [] : [releases, releases];
    if (previous) candidates.push(previous);
    let last: unknown = new Error(`${remote} has no release before ${releases.version}`);
    let slow: Release | undefined;
    for (const [index, release] of candidates.entries()) {
      // Who did not come within the budget would not come within another: waiting twice helps nobody.
      if (release === slow) continue;
      if (index === 1 && release === candidates[0]) await delay(RETRY_AFTER_MS);
      try {
        return await attempt(id, release);
      } catch (error) {
        last = error;
        if (error instanceof OverBudget) slow = release;
        report({ remote, expose, version: release.version, phase: 'load', error: asError(error) });
      }
    }
    throw last;
  };

  const load = (id: ScreenId): Promise<LoadedScreen> => {
    const here = screens.get(id);
    if (here) return Promise.resolve(here);
    const joined = flights.get(id);
    if (joined) return joined;
    const { remote } = partsOf(id);
    const turn = (turns.get(remote) ?? Promise.resolve()).then(() => tryAll(id));
    turns.set(
      remote,
      turn.catch(() => undefined),
    );
    const flight = turn
      .then((screen) => {
        screens.set(id, screen);
        return screen;
      })
      .finally(() => flights.delete(id));
    flights.set(id, flight);
    return flight;
  };

  return {
    load,
    loaded: (id) => screens.get(id),
    replace(id, error) {
      const { remote, expose } = partsOf(id);
      const shown = screens.get(id);
      const version = shown?.release.slice(remote.length + 1) ?? '';
      report({ remote, expose, version, phase: 'render', error });
      screens.delete(id);
      const isLive = version === composition.remotes[remote]?.version;
      if (!isLive || !composition.remotes[remote]?.previous) return Promise.reject(error);
      broken.add(id);
      return load(id);
    },
    forgive(id) {
      broken.delete(id);
      screens.delete(id);
    },
    releaseOf: (id) => {
      const { remote } = partsOf(id);
      return `${remote}@${composition.remotes[remote]?.version ?? '?'}`;
    },
  };
}

class OverBudget extends Error {}

function withinBudget<T>(work: Promise<T>, budgetMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OverBudget(`did not come within ${budgetMs} ms`)), budgetMs);
  });
  // A late arrival does no harm: by then the runtime knows another release by this name.
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** After a module that threw, the runtime may "succeed" with nothing in it. */
function screenIn(loaded: unknown, name: string): Screen {
  const found = (loaded as { default?: unknown } | null | undefined)?.default;
  if (typeof found !== 'function')
    throw new Error(`${name} must export a screen by default, got ${typeof found}`);
  return found as Screen;
}

function partsOf(id: ScreenId): { remote: string; expose: string } {
  const slash = id.indexOf('/');
  return { remote: id.slice(0, slash), expose: id.slice(slash + 1) };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
